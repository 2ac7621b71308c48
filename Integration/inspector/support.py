"""Decorators and measurements that the checks share."""

import time


def once(check):
    """Runs a check in one color scheme only, because its result does not depend on colors."""
    check.is_for_one_scheme = True
    return check


def options(**values):
    """Sets the options of the check's inspector."""

    def mark(check):
        check.options = values
        return check

    return mark


CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data].map((v, i) => i === 3 ? v / 255 : v); };
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const background = (node) => { const layers = []; for (let n = node; n; n = n.parentElement) layers.push(rgba(getComputedStyle(n).backgroundColor)); return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255, 1]); };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility({ visibilityProperty: true }) || node.closest(':disabled, noscript')) continue;
    const under = background(node), color = over(rgba(getComputedStyle(node).color), under);
    const [a, b] = [light(color), light(under)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${node.className || node.tagName}: ${walker.currentNode.data.slice(0, 40)}`);
  }
  return [...new Set(found)];
}"""


def expect_contrast(page):
    """Each visible text has a contrast of at least 4.5:1 (WCAG 2.2 AA)."""
    found = page.evaluate(CONTRAST)
    assert not found, f"contrast below 4.5:1: {found[:6]}"


def expect_no_overflow(page):
    """The page does not scroll sideways."""
    widths = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth, document.body.scrollWidth]")
    assert max(widths) <= widths[1], f"wider than the window: {widths}"
    panel = page.evaluate("() => { const p = document.getElementById('panel'); return p && p.checkVisibility() ? [p.scrollWidth, p.clientWidth] : [0, 0]; }")
    assert panel[0] <= panel[1], f"the panel scrolls sideways: {panel}"


def until(page, condition):
    """Waits for a JavaScript expression. Playwright's `wait_for_function` needs `unsafe-eval`, which the page's policy refuses."""
    end = time.monotonic() + 5
    while not page.evaluate(condition):
        assert time.monotonic() < end, f"not within 5 s: {condition}"
        page.wait_for_timeout(30)


def names(page):
    """The names of the rows from top to bottom."""
    return page.evaluate("() => [...document.querySelectorAll('.row')].map((row) => row.querySelector('.row-title').textContent)")


def clipboard(page):
    return page.evaluate("() => navigator.clipboard.readText()")
