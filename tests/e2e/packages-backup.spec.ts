import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expectAccessible } from './support/axe.ts';
import { TestBridge } from './support/bridge.ts';
import { aManifest, COMPOSE } from './support/packages.ts';
import { expect, test as base } from './support/test.ts';
import { Packages } from './views/packages.ts';

const GETH = 'geth.dnp.dappnode.eth';

/** A provisioned package with the directory of its files. */
const test = base.extend<{ keyFile: string }>({
  keyFile: async ({ console }, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'nodebell-backup-'));
    const keyFile = path.join(folder, 'files', 'geth', 'data', 'keys', 'node.key');
    const manifest = aManifest({
      backup: [
        { name: 'keys', path: '/data/keys', service: 'geth' },
        { name: 'settings', path: '/data/settings.json', service: 'geth' },
      ],
    });
    await mkdir(path.dirname(keyFile), { recursive: true });
    await mkdir(path.join(folder, 'geth'));
    await writeFile(keyFile, 'the first key');
    await writeFile(path.join(folder, 'geth', 'dappnode_package.json'), manifest);
    await writeFile(path.join(folder, 'geth', 'docker-compose.yml'), COMPOSE);
    const packages = 'apiVersion: 1\npackages:\n  - { path: geth, files: files }\n';
    await writeFile(path.join(folder, 'packages.yaml'), packages);
    const bridge = await TestBridge.start({ NODEBELL_PROVISIONING_DIR: folder });
    console.settings.jsonData = { bridgeUrl: bridge.url };
    console.settings.secureJsonData = { bridgeToken: bridge.token };
    await use(keyFile);
    await bridge.dispose();
    await rm(folder, { recursive: true });
  },
});

test('downloads and restores a backup, and rejects an invalid file', async ({ page, keyFile }, info) => {
  const packages = new Packages(page);
  await packages.openPackage(GETH);
  const backup = page.getByRole('region', { name: 'Backup contents' });
  await expect(backup.getByRole('listitem')).toHaveText([/keys.*\/data\/keys.*geth/, /settings/]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    backup.getByRole('link', { name: 'Download backup' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^geth.*\.tar\.gz$/);
  const saved = info.outputPath('saved.tar.gz');
  await download.saveAs(saved);
  await writeFile(keyFile, 'another key');

  const choose = async (file: string) => {
    await backup.getByLabel('Backup file').setInputFiles(file);
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(`“${path.basename(file)}” will replace the files of ${GETH}.`);
    return dialog;
  };
  await (await choose(saved)).getByRole('button', { name: 'Cancel' }).click();
  expect(await readFile(keyFile, 'utf8')).toBe('another key');

  const wrong = info.outputPath('wrong.tar.gz');
  await writeFile(wrong, 'this is no tarball');
  await (await choose(wrong)).getByRole('button', { name: 'Restore' }).click();
  await expect(backup.getByRole('status')).toContainText('Could not restore the backup. No files were changed.');
  expect(await readFile(keyFile, 'utf8')).toBe('another key');

  await (await choose(saved)).getByRole('button', { name: 'Restore' }).click();
  await expect(backup.getByRole('status')).toContainText('keys');
  await expect(backup.getByRole('status')).not.toContainText('Could not restore');
  await expect.poll(() => readFile(keyFile, 'utf8')).toBe('the first key');
  await expectAccessible(page);
});

test('only admins can download and restore backups', async ({ page, keyFile }) => {
  const packages = new Packages(page);
  await packages.openPackage(GETH, '', { role: 'Editor' });
  await expect(page.getByText('Only Grafana admins can download and restore backups.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Download backup' })).toHaveCount(0);
  expect(await readFile(keyFile, 'utf8')).toBe('the first key');
});
