"""An OAuth 2 server whose access tokens live for two seconds and whose refresh tokens are single-use. It counts requests.

One process with threads, so that its counters are correct:
    gunicorn -b 127.0.0.1:PORT -k gthread --workers 1 --threads 32 --chdir Integration/servers authlib_server:app
"""

import os
import threading
import time
import uuid

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # loopback

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc7636 import CodeChallenge
from flask import Flask, jsonify, request

LIFETIME = 2
lock = threading.RLock()
codes = {}
access_tokens = {}
refresh_tokens = {}
sessions = {}


class Session:
    """The session of one user. A reused refresh token ends it (RFC 6819 §5.2.2.3)."""

    def __init__(self):
        self.id = uuid.uuid4().hex
        self.is_alive = True
        self.generation = -1
        self.refreshes = self.reuses = self.dead = self.refused = 0
        self.expired = set()

    def get_user_id(self):
        return self.id


class Client(ClientMixin):
    def __init__(self, id, secret, ways, grant_types):
        self.id, self.secret, self.ways, self.grant_types = id, secret, ways, grant_types

    def get_client_id(self):
        return self.id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return " ".join(word for word in (scope or "").split() if word in ("read", "write"))

    def check_redirect_uri(self, uri):
        return uri == "birds://signed-in?from=id"

    def check_client_secret(self, secret):
        return self.secret == secret

    def check_endpoint_auth_method(self, method, endpoint):
        return method in self.ways

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in self.grant_types


clients = {
    client.id: client
    for client in (
        Client("birds", "", ["none"], ["authorization_code", "refresh_token"]),
        # Characters that must be encoded before Basic authentication (RFC 6749 §2.3.1).
        Client("a service", "s3cret:%&+ü", ["client_secret_basic", "client_secret_post"], ["client_credentials"]),
    )
}


class Code:
    def __init__(self, request):
        payload = request.payload
        self.client_id, self.redirect_uri, self.scope = request.client.id, payload.redirect_uri, payload.scope
        self.code_challenge = payload.data.get("code_challenge")
        self.code_challenge_method = payload.data.get("code_challenge_method")

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


class AuthorizationCodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def save_authorization_code(self, code, request):
        codes[code] = Code(request)

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client_id == client.id else None

    def delete_authorization_code(self, authorization_code):
        for code in [code for code, value in codes.items() if value is authorization_code]:
            del codes[code]

    def authenticate_user(self, authorization_code):
        session = Session()
        sessions[session.id] = session
        return session


class Credential:
    def __init__(self, session, client, scope):
        self.session, self.client, self.scope, self.is_used = session, client, scope, False

    def check_client(self, client):
        return self.client is client

    def get_scope(self):
        return self.scope


class RefreshTokenGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        credential = refresh_tokens.get(refresh_token)
        if credential is None:
            return None
        session = credential.session
        if credential.is_used:
            session.reuses += 1
            session.is_alive = False
        if not session.is_alive:
            session.dead += 1
            return None
        return credential

    def authenticate_user(self, refresh_token):
        return refresh_token.session

    def revoke_old_credential(self, refresh_token):
        refresh_token.is_used = True
        refresh_token.session.refreshes += 1


class ClientCredentialsGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


def keep(token, request):
    session = request.user
    if session:
        session.generation += 1
    generation = session.generation if session else 0
    access_tokens[token["access_token"]] = (session, time.monotonic() + LIFETIME, generation, token.get("scope", ""))
    if "refresh_token" in token:
        refresh_tokens[token["refresh_token"]] = Credential(session, request.client, token.get("scope", ""))


app = Flask(__name__)
server = AuthorizationServer(app, query_client=clients.get, save_token=keep)
server.register_grant(AuthorizationCodeGrant, [CodeChallenge(required=True)])
server.register_grant(RefreshTokenGrant)
server.register_grant(ClientCredentialsGrant)


def generated(*args, **kwargs):
    return uuid.uuid4().hex


bearer = BearerTokenGenerator(generated, generated, lambda client, grant_type: LIFETIME)
server.register_token_generator("default", bearer)


@app.get("/authorize")
def authorize():
    """The user agrees immediately, or refuses if the request asks for it."""
    with lock:
        user = None if request.args.get("prompt") == "refuse" else Session()
        grant = server.get_consent_grant(end_user=user)
        return server.create_authorization_response(grant_user=user, grant=grant)


@app.post("/token")
def token():
    # As slow as real servers, so that a client that refreshes twice has the time to do so.
    time.sleep(0.1)
    with lock:
        return server.create_token_response()


@app.get("/resource")
def resource():
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
    with lock:
        session, expiry, generation, scope = access_tokens.get(shown, (None, 0, 0, ""))
        if time.monotonic() >= expiry or (session and not session.is_alive):
            if session:
                session.refused += 1
                session.expired.add(shown)
            answer = jsonify(error="invalid_token")
            answer.status_code = 401
            answer.headers["WWW-Authenticate"] = 'Bearer error="invalid_token"'
            return answer
        return jsonify(session=session.id if session else "", generation=generation, scope=scope)


@app.get("/sessions/<id>")
def counts(id):
    with lock:
        session = sessions[id]
        return jsonify(
            refreshes=session.refreshes, reuses=session.reuses, dead=session.dead, refused=session.refused, expired=len(session.expired)
        )


@app.post("/sessions/<id>/end")
def end(id):
    with lock:
        sessions[id].is_alive = False
        return jsonify({})
