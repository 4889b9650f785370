/** What is decided about a registration beside what is registered. */
import type { PackageTexts } from '../validation/validatePackage.ts';
import type { PackageChange } from '../../contract/package.ts';
import { decideChange } from '../validation/updateDecision.ts';
import type { PackageRow } from '../storage/schema.ts';
import { contentOf, textsOfRow } from './content.ts';
import type { PackageStore } from './store.ts';

/** @param version a semantic version */
export function changeOf(row: PackageRow | undefined, version: string, texts: PackageTexts): PackageChange {
  return decideChange(row && { version: row.version, content: contentOf(textsOfRow(row)) }, {
    version,
    content: contentOf(texts),
  });
}

/** Whether this very text was approved since the package was registered: whoever installs it anew is asked anew. */
export async function isApproved(store: PackageStore, row: PackageRow | undefined, text: string): Promise<boolean> {
  return row !== undefined && (await store.approval(row.dnp_name, row.registered_ts, text)) !== undefined;
}
