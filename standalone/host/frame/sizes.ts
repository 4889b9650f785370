/** Grafana's own dimensions, so that pages have the same size. */
export const HEADER_HEIGHT = 40;
export const MENU_WIDTH = 300;
