/** The saved views of a person, and their changes. Pure. */
import { z } from 'zod';
import { t } from '../../i18n/t';
import { EMPTY_VIEW, readView, type View, writeView } from '../view';

const MAX_VIEWS = 50;
const MAX_CHARACTERS = 100;

const listSchema = z.array(
  z.object({
    name: z.string(),
    /** Query string of the Inbox page. */
    query: z.string(),
    isDefault: z.literal(true).optional(),
  })
);
export type SavedView = z.output<typeof listSchema>[number];

/** @throws Error with a message for the user, so that what another version has stored is not replaced */
export function parseViews(text = '[]'): SavedView[] {
  try {
    return listSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(t('inbox.views.unreadable', 'The stored views have an unknown format.'), { cause: error });
  }
}

/** The query of a view, without the open notification. */
export const queryOf = (view: View): string => writeView({ ...view, id: undefined, alert: undefined }).toString();

export const viewOf = ({ query }: SavedView): View => ({ ...EMPTY_VIEW, ...readView(new URLSearchParams(query)) });

/** Whether it is the view that the page shows. */
export const isShown = (saved: SavedView, view: View): boolean => queryOf(viewOf(saved)) === queryOf(view);

const named = (views: readonly SavedView[], name: string) => views.find((view) => view.name === name);

const alreadyExists = () => t('inbox.views.exists', 'A view with this name already exists.');

/**
 * Why a name cannot be given.
 * @param renamed the name of the view that gets it; undefined for a new view
 */
export function nameError(views: readonly SavedView[], name: string, renamed?: string): string | undefined {
  const length = [...name].length;
  if (length > MAX_CHARACTERS) {
    const values = { length, max: MAX_CHARACTERS };
    return t('inbox.views.too-long', '{{length, number}} characters; at most {{max, number}} are allowed.', values);
  }
  if (named(views, name)) {
    return renamed === undefined || renamed === name ? undefined : alreadyExists();
  }
  return renamed === undefined && views.length >= MAX_VIEWS
    ? t('inbox.views.too-many', 'You have {{max, number}} views, the maximum. Delete one first.', { max: MAX_VIEWS })
    : undefined;
}

/** A change of the list. It throws an Error with a message for the user if the list, which another tab may have changed, does not allow it. */
export type Change = (views: readonly SavedView[]) => SavedView[];

function check(error: string | undefined): void {
  if (error !== undefined) {
    throw new Error(error);
  }
}

const byName = (views: SavedView[]) => views.toSorted((a, b) => a.name.localeCompare(b.name));

/** @param replaces the user knows that a view has this name */
export const save =
  (name: string, query: string, replaces: boolean): Change =>
  (views) => {
    const known = named(views, name);
    check(nameError(views, name) ?? (known && !replaces ? alreadyExists() : undefined));
    return byName([...views.filter((view) => view !== known), { ...known, name, query }]);
  };

export const rename =
  (from: string, to: string): Change =>
  (views) => {
    check(
      named(views, from) ? nameError(views, to, from) : t('inbox.views.gone', 'This view was deleted in another tab.')
    );
    return byName(views.map((view) => (view.name === from ? { ...view, name: to } : view)));
  };

export const remove =
  (name: string): Change =>
  (views) =>
    views.filter((view) => view.name !== name);

/** @param name undefined: none is the default */
export const setDefault =
  (name: string | undefined): Change =>
  (views) =>
    views.map(({ name: each, query }) => ({ name: each, query, ...(each === name && { isDefault: true }) }));
