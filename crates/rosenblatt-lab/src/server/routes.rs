//! The routes of the server.

use std::{collections::HashMap, net::SocketAddr, sync::Arc};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Extension, Request, State},
    http::{HeaderValue, StatusCode, Uri, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};

use super::{
    Limits, Site,
    access::Access,
    body,
    error_response::ErrorResponse,
    queue::{Engine, Queue},
    turns::Client,
};
use crate::table::{Table, TableError};

/// The state that all requests share.
struct Lab {
    access: Access,
    queue: Queue,
    table: Option<Table>,
    limits: Limits,
}

type Shared = State<Arc<Lab>>;

/// Headers of every response. The page may load its own two files and send questions to the lab, and nothing else.
const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// Returns the routes of a server that listens on `address`.
pub(super) fn router(site: Site, address: SocketAddr, engine: Engine) -> Router {
    let Site { token, table, limits, .. } = site;
    let queue = Queue::new(engine, limits);
    with(Lab { access: Access::new(address, token), queue, table, limits })
}

fn with(lab: Lab) -> Router {
    let page = |kind: &'static str, text: &'static [u8]| get(async move || of_kind(kind, text));
    let lab = Arc::new(lab);
    Router::new()
        .route("/", page("text/html; charset=utf-8", include_bytes!("../../page/index.html")))
        .route(
            "/lab.js",
            page("text/javascript; charset=utf-8", include_bytes!("../../page/dist/lab.js")),
        )
        .route(
            "/lab.css",
            page("text/css; charset=utf-8", include_bytes!("../../page/dist/lab.css")),
        )
        .route("/ask", post(ask))
        .route("/file", get(file))
        .route("/file/points", get(points))
        .method_not_allowed_fallback(other_method)
        .fallback(other_path)
        .layer(middleware::from_fn_with_state(Arc::clone(&lab), around))
        .with_state(lab)
}

/// Checks access before every answer, and adds headers after it.
async fn around(State(lab): Shared, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let secret = parts.uri.path() == "/ask" || parts.uri.path().starts_with("/file");
    let mut response = match lab.access.admit(&parts, secret) {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(refused) => {
            body::discard(body, &lab.limits).await;
            refused.into_response()
        }
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn ask(
    State(lab): Shared,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Response, ErrorResponse> {
    let (parts, body) = request.into_parts();
    let kind = parts.headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    if !kind.is_some_and(is_json) {
        body::discard(body, &lab.limits).await;
        let message = "a question has the content type application/json";
        return Err(ErrorResponse::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let question = body::receive(body, &lab.limits).await?;
    lab.queue.ask(client, question).await.map(json)
}

fn is_json(kind: &[u8]) -> bool {
    let essence = kind.split(|&byte| byte == b';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(b"application/json")
}

/// Without a file the answer is empty, and not 404, which a browser would print in the console.
async fn file(State(lab): Shared) -> Response {
    match &lab.table {
        Some(table) => json(Bytes::from(table.json())),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

async fn points(State(lab): Shared, uri: Uri) -> Result<Response, ErrorResponse> {
    let table = table(&lab)?;
    let query = query(uri.query().unwrap_or_default());
    let column = |name: &str| {
        let found = query.get(name).and_then(|word| word.parse::<usize>().ok());
        found.ok_or_else(|| {
            let message = format!("`{name}` is not the number of a column");
            ErrorResponse::new(StatusCode::BAD_REQUEST, message)
        })
    };
    let (x, y) = (column("x")?, column("y")?);
    let points = table.points([x, y], query.get("positive").map(String::as_str));
    let refused =
        |error: TableError| ErrorResponse::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string());
    points.map(|points| json(Bytes::from(points))).map_err(refused)
}

fn table(lab: &Lab) -> Result<&Table, ErrorResponse> {
    lab.table.as_ref().ok_or_else(|| {
        ErrorResponse::new(StatusCode::NOT_FOUND, "the lab was started without a file")
            .hint("`rosenblatt lab DATA` shows a file of yours")
    })
}

/// The fields of a query, as `URLSearchParams` writes them; of equal names the last counts.
fn query(text: &str) -> HashMap<String, String> {
    let decoded = |text: &str| {
        let text = text.replace('+', " ");
        percent_encoding::percent_decode_str(&text).decode_utf8_lossy().into_owned()
    };
    let field = |field: &str| {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        (decoded(name), decoded(value))
    };
    text.split('&').map(field).collect()
}

async fn other_path(State(lab): Shared, body: Body) -> ErrorResponse {
    body::discard(body, &lab.limits).await;
    ErrorResponse::new(StatusCode::NOT_FOUND, "there is nothing at this address")
}

async fn other_method(State(lab): Shared, body: Body) -> ErrorResponse {
    body::discard(body, &lab.limits).await;
    ErrorResponse::new(StatusCode::METHOD_NOT_ALLOWED, "this address has another method")
}

fn json(bytes: Bytes) -> Response {
    of_kind("application/json", bytes)
}

fn of_kind(kind: &'static str, body: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static(kind))], body.into()).into_response()
}
