/** Style sheets as text: `player.css`, `graded.css` and `rows.css`. The joiner makes this module (see `bundle.py`). */
export const css: string;
export const gradedCss: string;
export const rowsCss: string;
