/** Name of Nodebell's contact point in Grafana: in the examples, where the bridge creates one, and where a page looks for it. */
export const CONTACT_POINT = 'Nodebell';
