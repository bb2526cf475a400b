//! The names that tell navigation from content.

/// The classes and ids of navigation in the output of common documentation generators and site themes, sorted.
#[rustfmt::skip]
pub(super) const NAVIGATION: &[&str] = &[
    "bottom-nav", "bottomNav", "breadcrumb", "breadcrumbs", "btn-copy", "catlinks", "clipboard", "code-copy",
    "copy-button", "copybtn", "edit-this-page", "editsection", "fixedNav", "flex-header", "footer", "gtoc",
    "hash-link", "headerlink", "heading-anchor", "hideme", "jump-to-nav", "line-numbers-rows", "lineno",
    "linenodiv", "linenos", "logo-container", "menu-bar", "mw-editsection", "mw-indicators", "mw-jump-link",
    "mw-navigation", "nav-panel", "nav-path", "nav-wide-wrapper", "nav-wrapper", "navbar", "navbar-top",
    "navbox", "navfooter", "navheader", "navigation", "navigation_footer", "navigation_header", "navpath",
    "navrow", "next-prev", "noprint", "out-of-band", "page-toc", "pagination", "pagination-nav", "permalink",
    "prev-next", "prevnext", "printfooter", "related", "rightside", "rst-footer-buttons", "rst-versions",
    "sidebar", "sidebar-logo", "sidebar-wrapper", "siteSub", "skip-link", "skip-nav", "skipNav", "skiplink",
    "sphinxsidebar", "sphinxsidebarwrapper", "sub-container", "sub-logo-container", "sub-nav", "subNav",
    "test-arrow", "theme-doc-breadcrumbs", "theme-doc-footer", "theme-doc-toc-desktop",
    "theme-doc-toc-mobile", "toc_container", "toctoggle", "top-nav", "topNav", "topnav",
    "vector-column-start", "vector-header", "viewcode-link", "wy-nav-side", "wy-nav-top",
];

/// Parts of the classes and ids of a table of contents.
pub(super) const CONTENTS: &[&str] = &["contents", "toc"];

/// The classes and ids of main content, in the output of common generators. Earlier ones are outer ones.
#[rustfmt::skip]
pub(super) const CONTAINERS: &[&str] = &[
    "mw-content-text", "bodyContent", "bodywrapper", "rst-content", "main-content", "markdown-body",
    "theme-doc-markdown", "md-content", "docContent", "apicontent", "doc-content", "post-content",
    "entry-content", "article-content", "page-content", "content-wrapper", "main", "content",
];

/// The text of a link that only leads to its own heading.
pub(super) const PERMALINKS: &[&str] =
    &["", "#", "¶", "§", "🔗", "∞", "\u{f0c1}", "\u{e9cb}", "[#]", "[¶]", "anchor", "permalink"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_for_the_binary_search() {
        assert!(NAVIGATION.is_sorted());
    }
}
