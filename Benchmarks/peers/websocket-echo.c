// A WebSocket server on one thread that sends each message back: cc -O2 websocket-echo.c -lcrypto. For measurements on loopback: it checks
// nothing, and prints its port first.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct buffer {
    char *bytes;
    size_t count, capacity;
};

struct connection {
    int descriptor, is_open;
    struct buffer in, out;
    size_t sent;
};

static int poller;

static void reserve(struct buffer *buffer, size_t more) {
    if (buffer->count + more <= buffer->capacity) return;
    buffer->capacity = 2 * (buffer->count + more);
    buffer->bytes = realloc(buffer->bytes, buffer->capacity);
}

static void watch(struct connection *connection, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = connection};
    epoll_ctl(poller, operation, connection->descriptor, &event);
}

static void flush(struct connection *connection) {
    while (connection->sent < connection->out.count) {
        ssize_t count = send(
            connection->descriptor, connection->out.bytes + connection->sent, connection->out.count - connection->sent, MSG_NOSIGNAL);
        if (count <= 0) return watch(connection, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
        connection->sent += count;
    }
    connection->out.count = connection->sent = 0;
}

/// Accepts the handshake whose end is at `end` (RFC 6455 §4.2.2).
static void accept_handshake(struct connection *connection, char *end) {
    char key[128] = "", accepted[64];
    unsigned char digest[SHA_DIGEST_LENGTH];
    char *field = strcasestr(connection->in.bytes, "Sec-WebSocket-Key:");
    if (field) sscanf(field + strlen("Sec-WebSocket-Key:"), " %64s", key);
    strcat(key, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    SHA1((unsigned char *)key, strlen(key), digest);
    EVP_EncodeBlock((unsigned char *)accepted, digest, sizeof digest);
    reserve(&connection->out, 512);
    connection->out.count = sprintf(
        connection->out.bytes, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
        accepted);
    size_t used = end + 4 - connection->in.bytes;
    connection->in.count -= used;
    memmove(connection->in.bytes, end + 4, connection->in.count);
    connection->is_open = 1;
}

/// Adds the reply to each whole frame in the input: the same frame without a mask. A ping becomes a pong.
static void answer_frames(struct connection *connection) {
    size_t place = 0;
    while (connection->in.count - place >= 6) {
        unsigned char *frame = (unsigned char *)connection->in.bytes + place;
        uint64_t length = frame[1] & 127;
        size_t head = length < 126 ? 2 : length == 126 ? 4 : 10;
        if (connection->in.count - place < head + 4) break;
        if (head > 2) {
            length = 0;
            for (size_t index = 2; index < head; index++) length = length << 8 | frame[index];
        }
        if (connection->in.count - place < head + 4 + length) break;
        reserve(&connection->out, length + 10);
        unsigned char *reply = (unsigned char *)connection->out.bytes + connection->out.count;
        memcpy(reply, frame, head);
        reply[0] = (frame[0] & 15) == 9 ? frame[0] + 1 : frame[0];
        reply[1] &= 127;
        unsigned char *mask = frame + head, *content = mask + 4;
        for (uint64_t index = 0; index < length; index++) reply[head + index] = content[index] ^ mask[index & 3];
        connection->out.count += head + length;
        place += head + 4 + length;
    }
    connection->in.count -= place;
    memmove(connection->in.bytes, connection->in.bytes + place, connection->in.count);
}

static void serve(struct connection *connection, uint32_t events) {
    if (events & EPOLLOUT) {
        flush(connection);
        if (connection->out.count) return;
        watch(connection, EPOLL_CTL_MOD, EPOLLIN);
    }
    reserve(&connection->in, 65537);
    ssize_t count = recv(connection->descriptor, connection->in.bytes + connection->in.count, 65536, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
        close(connection->descriptor);
        free(connection->in.bytes);
        free(connection->out.bytes);
        free(connection);
        return;
    }
    connection->in.count += count;
    connection->in.bytes[connection->in.count] = 0;
    if (!connection->is_open) {
        char *end = strstr(connection->in.bytes, "\r\n\r\n");
        if (!end) return;
        accept_handshake(connection, end);
    }
    answer_frames(connection);
    flush(connection);
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    if (bind(listener, (void *)&address, length) || listen(listener, 4096) || getsockname(listener, (void *)&address, &length)) return 1;
    poller = epoll_create1(0);
    struct epoll_event events[256], first = {.events = EPOLLIN};
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &first);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    while (1) {
        int count = epoll_wait(poller, events, 256, -1);
        for (int index = 0; index < count; index++) {
            struct connection *connection = events[index].data.ptr;
            if (connection) {
                serve(connection, events[index].events);
                continue;
            }
            int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
            if (descriptor < 0) continue;
            setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            connection = calloc(1, sizeof *connection);
            connection->descriptor = descriptor;
            watch(connection, EPOLL_CTL_ADD, EPOLLIN);
        }
    }
}
