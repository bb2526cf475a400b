//! Tells open pages that the index has changed, with server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::watch;
use tokio::time::{self, Instant};
use tokio_util::sync::CancellationToken;

use super::WebState;
use crate::mcp::RequestRunner;

/// How often changes are looked for while a page is open.
const LOOK_INTERVAL: Duration = Duration::from_millis(400);
/// A look at a large tree on a slow disk may take long; it takes at most this share of the time.
const LOOK_SHARE: u32 = 20;
/// How often a sign of life is sent, so a dead connection is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// The number of the last commit, for all open pages.
pub(super) struct Events {
    generation: watch::Sender<u64>,
    stop: CancellationToken,
}

impl Events {
    /// Starts to look for changes whenever a page is open.
    pub(super) fn start(runner: Arc<RequestRunner>, stop: CancellationToken) -> Self {
        let generation = watch::Sender::new(0);
        let (sender, stopped) = (generation.clone(), stop.clone());
        tokio::spawn(async move {
            let look = async {
                loop {
                    let began = Instant::now();
                    if sender.receiver_count() > 0
                        && let Some(now) = runner.generation().await
                    {
                        sender.send_if_modified(|known| std::mem::replace(known, now) != now);
                    }
                    time::sleep(LOOK_INTERVAL.max(LOOK_SHARE * began.elapsed())).await;
                }
            };
            tokio::select! {
                () = look => {}
                () = stopped.cancelled() => {}
            }
        });
        Self { generation, stop }
    }
}

/// Sends the number of the commit now, and whenever there is a new one.
pub(super) async fn stream(State(web): WebState) -> Response {
    let mut generation = web.events.generation.subscribe();
    generation.mark_changed();
    let stop = web.events.stop.clone();
    let events = stream::unfold((generation, stop), |(mut generation, stop)| async move {
        loop {
            tokio::select! {
                changed = generation.changed() => changed.ok()?,
                () = stop.cancelled() => return None,
            }
            let now = *generation.borrow_and_update();
            if now > 0 {
                let event = Event::default().event("generation").data(now.to_string());
                return Some((Ok::<_, Infallible>(event), (generation, stop)));
            }
        }
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}
