//! The formats of a picture, and what can go wrong.

use std::path::Path;

/// The maximum number of panels in a figure; viewers do not open much wider images.
pub(crate) const MAX_PANELS: usize = 8;

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scalable vector graphics: text.
    Svg,
    /// Portable network graphics: pixels.
    Png,
}

impl Format {
    /// Returns the format for `path`, by the ending of its name in any case.
    ///
    /// # Errors
    /// [`PlotError::UnknownEnding`] for any other ending, or none.
    pub fn of(path: &Path) -> Result<Format, PlotError> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            _ => Err(PlotError::UnknownEnding { file: path.display().to_string() }),
        }
    }
}

/// Why a picture could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlotError {
    /// The name of the file does not give a format.
    #[error("{file}: cannot tell the kind of picture from the name, expected .svg or .png")]
    UnknownEnding {
        /// The file.
        file: String,
    },
    /// The figure has no panel, or too many.
    #[error("found {found} panels, expected 1 to {MAX_PANELS}")]
    Panels {
        /// The number of panels in the figure.
        found: usize,
    },
    /// The typeface inside this crate cannot be read; no input can cause it.
    #[error("the typeface is damaged")]
    Typeface,
    /// The drawing library failed.
    #[error("{problem}")]
    Backend {
        /// The message of the library.
        problem: String,
    },
}
