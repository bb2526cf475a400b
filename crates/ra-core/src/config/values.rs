//! Typed access to the merged values.

use super::Setting;
use super::keys::Value;

/// The merged values. `defaults.toml` sets every key that isn't optional, which a test checks, so the fallbacks here
/// are never used.
pub(super) struct Values<'a>(pub(super) &'a [Setting]);

impl Values<'_> {
    pub(super) fn get(&self, table: &str, name: &str) -> Option<&Value> {
        self.0.iter().find(|set| set.key.table == table && set.key.name == name).map(|set| &set.value)
    }

    pub(super) fn bool(&self, table: &str, name: &str) -> bool {
        matches!(self.get(table, name), Some(Value::Bool(true)))
    }

    pub(super) fn int(&self, table: &str, name: &str) -> Option<usize> {
        match self.get(table, name)? {
            Value::Int(number) => usize::try_from(*number).ok(),
            _ => None,
        }
    }

    pub(super) fn size(&self, table: &str, name: &str) -> usize {
        self.int(table, name).unwrap_or_default()
    }

    pub(super) fn float(&self, table: &str, name: &str) -> Option<f64> {
        match self.get(table, name)? {
            Value::Float(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn number(&self, table: &str, name: &str) -> f64 {
        self.float(table, name).unwrap_or_default()
    }
}
