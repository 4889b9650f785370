/** No component loads foreign URLs: the lint rule detects them, and only two files are exempt. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import parser from '@typescript-eslint/parser';
import { ESLint, Linter } from 'eslint';
import { globSync } from 'glob';
import { beforeAll, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..');
const AVATAR = 'src/components/Avatar.tsx';
const EXEMPT = [AVATAR, 'src/packages/cardStyle.ts'];
const RULE = 'no-restricted-syntax';
const files = globSync('src/**/*.{ts,tsx}', { cwd: ROOT, posix: true, ignore: ['**/*.test.*', '**/*.testing.*'] });

const eslint = new ESLint({ cwd: ROOT });
const ruleOf = async (file: string): Promise<Linter.RuleEntry> => {
  const config = (await eslint.calculateConfigForFile(path.join(ROOT, file))) as Linter.Config;
  return config.rules?.[RULE] ?? 'off';
};

let rule: Linter.RuleEntry;
beforeAll(async () => {
  rule = await ruleOf('src/inbox/list/Row.tsx');
});

/** Lines with an error of the rule, ignoring comments that disable it. */
function found(code: string, filename = 'a.tsx'): number[] {
  const config = [{ files: ['**/*.ts', '**/*.tsx'], languageOptions: { parser }, rules: { [RULE]: rule } }];
  return new Linter().verify(code, config, { filename, allowInlineConfig: false }).map(({ line }) => line);
}

test.each([
  'const a = <img src={notification.icon} />;',
  'const a = <picture><source srcSet={icon} /></picture>;',
  'const a = <svg><image href={icon} /></svg>;',
  'const a = <iframe title="x" srcDoc={body} />;',
  'const a = <video poster={icon} />;',
  'const a = <Card.Figure><img src={icon} /></Card.Figure>;',
  'const a = <Figure src={icon} />;',
  'const a = <div style={{ backgroundImage: `url(${icon})` }} />;',
  'const a = <div style={{ background: summary.style.background }} />;',
  'const a = <div style={{ background }} />;',
  'const a = css({ listStyleImage: icon });',
  'const a = css({ root: { cursor: icon } });',
  'const a = <div style={{ cursor: icon }} />;',
  'const a = css({ content: "url(https://a.example)" });',
  'const a = css`background: url(${icon})`;',
  'const a = { label: name, imgUrl: icon };',
  'const a = { text: title, img: icon };',
  'const a = <div dangerouslySetInnerHTML={{ __html: body }} />;',
  'new Image().width = 1;',
  'element.src = icon;',
  'element.setAttribute("src", icon);',
  'document.createElement("img");',
  '// eslint-disable-next-line no-restricted-syntax\nconst a = <img alt="" />;',
])('is an error: %s', (code) => {
  expect(found(code)).not.toEqual([]);
});

test.each([
  'const a = toSearch({ limit, cursor });',
  'const a = <Avatar icon={packageIcon(summary)} dnpName={dnpName} size={32} />;',
  'const a = css({ background: theme.colors.background.canvas, color: "red" });',
  'const a = css({ background: "none", cursor: "pointer", content: "none" });',
  'const a = <div style={{ backgroundColor: color, width }} />;',
  'const COMPONENTS = { a: BodyLink, img: BodyImage };',
])('is allowed: %s', (code) => {
  expect(found(code)).toEqual([]);
});

test('no other file loads images, and Avatar renders one', () => {
  expect(files.length).toBeGreaterThan(100);
  const at = files.filter((file) => found(readFileSync(path.join(ROOT, file), 'utf8'), file).length > 0);
  expect(at.sort()).toEqual(EXEMPT);
  expect(readFileSync(path.join(ROOT, AVATAR), 'utf8').match(/<img/g)).toHaveLength(1);
});

test('the rule applies to every other file', async () => {
  const exempt: string[] = [];
  for (const file of files) {
    if (JSON.stringify(await ruleOf(file)) !== JSON.stringify(rule)) {
      exempt.push(file);
    }
  }
  expect(exempt.sort()).toEqual(EXEMPT);
});
