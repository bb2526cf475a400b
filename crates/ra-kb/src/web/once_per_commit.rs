//! Values that take long to compute, computed once for each commit of the index.

use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::task;

use crate::mcp::RequestError;

/// A value of the last commit that it was computed for.
pub(super) struct OncePerCommit<T>(Arc<Mutex<LastValue<T>>>);

/// The number of a commit, and the value for it.
type LastValue<T> = Option<(u64, Arc<T>)>;

impl<T> Default for OncePerCommit<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Send + Sync + 'static> OncePerCommit<T> {
    /// Returns the value for a commit. It is computed beside the other requests, never twice at once, and to its end
    /// even if the browser goes away: it will be asked for again.
    pub(super) async fn get(
        &self,
        generation: u64,
        compute: impl FnOnce() -> Result<T, RequestError> + Send + 'static,
    ) -> Result<Arc<T>, RequestError> {
        let cache = self.0.clone();
        let computed = tokio::spawn(async move {
            let mut cache = cache.lock_owned().await;
            if let Some((known, value)) = &*cache
                && *known == generation
            {
                return Ok(value.clone());
            }
            let value = task::spawn_blocking(compute).await.unwrap_or_else(|_| Err(failed()))?;
            let value = Arc::new(value);
            *cache = Some((generation, value.clone()));
            Ok(value)
        });
        computed.await.unwrap_or_else(|_| Err(failed()))
    }
}

fn failed() -> RequestError {
    RequestError::Error("error: this failed inside ra, which is a bug\n".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once_for_each_commit() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let cache = OncePerCommit::default();
            for (generation, value, expected) in [(1, 10, 10), (1, 11, 10), (2, 12, 12)] {
                assert_eq!(*cache.get(generation, move || Ok(value)).await.expect("a value"), expected);
            }
            let panics = cache.get(3, || -> Result<i32, RequestError> { panic!("so be it") }).await;
            assert!(panics.is_err());
            assert_eq!(*cache.get(3, || Ok(13)).await.expect("a value"), 13, "a failure isn't kept");
        });
    }
}
