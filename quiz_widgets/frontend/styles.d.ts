/** `player.css` as text; the joiner makes this module (see `__init__.py`). */
export const css: string;
