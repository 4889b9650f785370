/** Grafana's own measures, so that a page has the room here that it has there. */
export const HEADER_HEIGHT = 40;
export const MENU_WIDTH = 300;
