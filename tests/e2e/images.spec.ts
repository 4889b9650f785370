import type { Page } from '@playwright/test';
import { png } from '../../backend-bridge/src/packages/icons/images.testing.ts';
import { startConsole } from '../../standalone/server/console.ts';
import { type IconHost, startIconHost } from '../integration/iconHost.testing.ts';
import { TestBridge } from './support/bridge.ts';
import { register } from './support/packages.ts';
import { expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';

const PROXY = /\/api\/plugin-proxy\//;

/** The URLs of all further requests of the page. */
function recordRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  return requests;
}

async function withIconHost(
  run: (host: IconHost) => Promise<void>,
  ...answer: Parameters<typeof startIconHost>
): Promise<void> {
  const host = await startIconHost(...answer);
  try {
    await run(host);
  } finally {
    await host.close();
  }
}

/** An icon host, a bridge that may download from it, and the plugin's pages in front of that bridge. */
async function withAllowedHost(run: (host: IconHost, bridge: TestBridge, url: string) => Promise<void>): Promise<void> {
  await withIconHost(
    async (host) => {
      const bridge = await TestBridge.start({ NODEBELL_OUTBOUND_ALLOW: '127.0.0.1' });
      const running = await startConsole({ port: 0, bridgeUrl: bridge.url, bridgeToken: bridge.token });
      try {
        await run(host, bridge, running.url);
      } finally {
        await running.close();
        await bridge.dispose();
      }
    },
    (_req, res) => void res.end(png(64))
  );
}

const BODY = (host: string) =>
  [
    `![a picture](${host}/markdown.png) and ![the way out](/logout)`,
    `[![nested](${host}/nested.png)](https://example.org)`,
    `![by name][pic]`,
    `<img src="${host}/html.png"> <video src="${host}/v.mp4" poster="${host}/p.png"></video>`,
    `<style>*{background:url(${host}/style.png)}</style>`,
    '',
    `[pic]: ${host}/reference.png`,
  ].join('\n');

test('the browser requests no URL from a notification or a package', async ({ page, bridge, frame }) => {
  await withIconHost(async (host) => {
    const requests = recordRequests(page);
    await register(bridge, {
      icon: `${host.url}/manifest.png`,
      avatar: '/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPAFF',
      style: {
        featuredBackground: `url(${host.url}/background.png)`,
        featuredAvatarFilter: `url(${host.url}/f.svg#f)`,
      },
      description: BODY(host.url),
    });
    await bridge.send({ title: 'By path', icon: '/logout', dnpName: 'a.eth', isBanner: true });
    await bridge.send({ title: 'By address', icon: `${host.url}/x.png`, dnpName: 'b.eth', status: 'triggered' });
    const { id } = await bridge.send({
      title: 'By Markdown',
      icon: '/public/img/grafana_icon.svg',
      body: BODY(host.url),
      callToAction: { title: 'Go', url: `${host.url}/action` },
    });
    const inbox = new Inbox(page);
    await inbox.open(`id=${id}`);
    // An image is a link with its text.
    const picture = inbox.detail.getByRole('link', { name: 'a picture' });
    await expect(picture).toHaveAttribute('href', `${host.url}/markdown.png`);
    await expect(inbox.detail.getByRole('link', { name: 'the way out' })).toBeVisible();
    for (const title of ['By path', 'By address', 'By Markdown']) {
      await expect(inbox.row(title).first()).toBeVisible();
    }
    await inbox.row('By address').first().click();
    await expect(inbox.detail.getByText('By address').first()).toBeVisible();
    for (const where of ['packages', 'packages/geth.dnp.dappnode.eth', 'thresholds', 'chains']) {
      await frame.open(where);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    }
    for (const panel of ['inbox', 'packages']) {
      await page.goto(`/panel/nodebell-${panel}-panel?w=12&h=8`);
      await expect(page.getByText(/By path|geth/).first()).toBeVisible();
    }
    // Requests that the page has started have been sent.
    await page.waitForLoadState('networkidle').catch(() => undefined);
    expect(host.requests).toEqual([]);
    const own = new URL(page.url()).origin;
    const foreign = requests.filter(
      (url) => !url.startsWith(own) && !url.startsWith('data:') && !url.startsWith('blob:')
    );
    expect(foreign).toEqual([]);
    expect(requests.filter((url) => /logout|\/ipfs\/|grafana_icon/.test(url))).toEqual([]);
  });
});

test('icons come from the bridge: one download for a thousand notifications, and few requests of the page', async ({
  page,
}) => {
  await withAllowedHost(async (host, bridge, url) => {
    const icon = `${host.url}/same.png`;
    for (let start = 0; start < 1000; start += 100) {
      // This many notifications of one package would be one row.
      const part = Array.from({ length: 100 }, (_, index) => ({
        ...{ title: `N${start + index}`, icon, category: 'one', dnpName: `package-${index % 20}` },
      }));
      await Promise.all(part.map((one) => bridge.send(one)));
    }
    const requests = recordRequests(page);
    const inbox = new Inbox(page);
    await page.goto(`${url}/a/nodebell-notifications-app/inbox?category=one`);
    await expect(inbox.rows.first().locator('img')).toHaveJSProperty('naturalWidth', 64);
    for (let more = 0; more < 3; more += 1) {
      await inbox.list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await expect(inbox.rows.last().locator('img')).toHaveJSProperty('naturalWidth', 64);
    }
    expect(requests.filter((one) => one.endsWith('/icon')).every((one) => PROXY.test(one))).toBe(true);
    expect(requests.filter((one) => one.endsWith('/icon'))).toHaveLength(1);
    expect(host.requests).toHaveLength(1);
  });
});

test('an invalid icon is replaced by a letter of the same size, and requested once', async ({ page }) => {
  await withAllowedHost(async (host, bridge, url) => {
    await bridge.send({ title: 'Wide', icon: `${host.url}/ok.png`, dnpName: 'zeta.eth', category: 'one' });
    const { id } = await bridge.send({
      title: 'None',
      icon: 'http://127.0.0.2/i.png',
      dnpName: 'zeta.eth',
      category: 'one',
    });
    const requests = recordRequests(page);
    const inbox = new Inbox(page);
    await page.goto(`${url}/a/nodebell-notifications-app/inbox`);
    await expect(inbox.row('Wide').locator('img')).toHaveJSProperty('naturalWidth', 64);
    const letter = inbox.row('None').getByText('Z', { exact: true });
    await expect(letter).toBeVisible();
    await expect(inbox.row('None').locator('img')).toHaveCount(0);
    const [image, shown] = await Promise.all([inbox.row('Wide').locator('img').boundingBox(), letter.boundingBox()]);
    expect([shown?.x, shown?.width, shown?.height]).toEqual([image?.x, image?.width, image?.height]);
    const path = `/notifications/${id}/icon`;
    await expect.poll(() => requests.filter((one) => one.endsWith(path))).toHaveLength(1);
    await inbox.row('None').click();
    await expect(inbox.detail.getByText('None').first()).toBeVisible();
    await expect(inbox.detail.getByText('Z', { exact: true })).toBeVisible();
    expect(requests.filter((one) => one.endsWith(path))).toHaveLength(1);
    // The text of the details is still loading: it must not fail when the server stops.
    await page.goto('about:blank');
  });
});
