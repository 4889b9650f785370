/** What Nodebell's contact point in Grafana is called: in the examples, where the bridge makes one, and where a page looks for it. */
export const CONTACT_POINT = 'Nodebell';
