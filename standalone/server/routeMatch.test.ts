import { describe, expect, test } from 'vitest';
import type { ProxyRoute } from './pluginJson.ts';
import { encodePath, joinUrlPath, matchPath, matchRoute } from './routeMatch.ts';

const route = (path: string, method?: string): ProxyRoute => ({
  path,
  url: 'http://bridge',
  ...(method && { method }),
});

describe('a route’s path', () => {
  test.each([
    ['healthz', '/healthz', ''],
    ['healthz', '/healthz/', ''],
    ['api/v1/*', '/api/v1/events', 'events'],
    ['api/v1/*', '/api/v1/notifications/7/seen', 'notifications/7/seen'],
    ['api/v1/*', '/api/v1/a%20b%2Fc', 'a b/c'],
    ['api/v1/*', '/%61pi/v1/events', 'events'],
  ])('%s takes %s and passes on "%s"', (pattern, requested, rest) => {
    expect(matchPath(pattern, requested)).toBe(rest);
  });

  test.each([
    ['healthz', '/healthz/more'],
    ['healthz', '/readyz'],
    ['api/v1/*', '/api/v1'],
    ['api/v1/*', '/api/v2/events'],
    ['api/v1', '/api/v1/events'],
    ['api/v1/*', '/api%2Fv1/events'],
    ['api/v1/*', '/api/v1/%zz'],
  ])('%s does not take %s', (pattern, requested) => {
    expect(matchPath(pattern, requested)).toBeUndefined();
  });
});

describe('route selection', () => {
  test('the first match wins', () => {
    const routes = [route('api/v1/notifications', 'POST'), route('api/v1/*', 'GET'), route('api/v1/events', 'GET')];
    expect(matchRoute(routes, 'GET', '/api/v1/events')?.route).toBe(routes[1]);
  });

  test('no method and "*" match every verb, a verb only itself', () => {
    const [any, star, put] = [route('x'), route('x', '*'), route('x', 'PUT')];
    expect(matchRoute([any], 'DELETE', '/x')?.route).toBe(any);
    expect(matchRoute([star], 'DELETE', '/x')?.route).toBe(star);
    expect(matchRoute([put], 'DELETE', '/x')).toBeUndefined();
  });

  test('a list of verbs matches none of them', () => {
    expect(matchRoute([route('x', 'PUT,PATCH')], 'PUT', '/x')).toBeUndefined();
  });

  test('literal dot segments and double slashes are cleaned away before, encoded ones are not', () => {
    const routes = [route('api/v1/*')];
    expect(matchRoute(routes, 'GET', '/api/v1/../../admin')).toBeUndefined();
    expect(matchRoute(routes, 'GET', '/api//v1/./events')?.rest).toBe('events');
    expect(matchRoute(routes, 'GET', '/api/v1/..%2F..%2Fadmin')?.rest).toBe('../../admin');
  });

  test('a trailing slash is lost', () => {
    expect(matchRoute([route('api/v1/*')], 'GET', '/api/v1/events/')?.rest).toBe('events');
  });
});

describe('the URL of the bridge', () => {
  test.each([
    ['/api/v1', 'events', '/api/v1/events'],
    ['/api/v1/', '/events', '/api/v1/events'],
    ['/healthz', '', '/healthz'],
  ])('%s and "%s" become %s', (base, rest, joined) => {
    expect(joinUrlPath(base, rest)).toBe(joined);
  });

  test('what was decoded is encoded as Go does it: an encoded slash has become a real one', () => {
    expect(encodePath('/a b/c:d@e,f;g=h&i+j$k')).toBe('/a%20b/c:d@e,f;g=h&i+j$k');
    expect(encodePath("/(x)!*'é?#%")).toBe('/%28x%29%21%2A%27%C3%A9%3F%23%25');
  });
});
