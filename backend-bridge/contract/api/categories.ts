/** Operations: categories. */
import { categoryBodySchema, categorySchema } from '../query.ts';
import { z } from 'zod';
import { get, json, ok, operations, pathParam, put } from '../operation.ts';

export const CATEGORIES = operations('Categories', {
  listCategories: get('/categories', 'inbox:read', {
    summary: 'Categories with their switches',
    reply: ok('The categories, by name.', () => z.array(categorySchema)),
  }),
  switchCategory: put('/categories/{category}', 'inbox:write', {
    summary: 'Switch a category on or off; what arrives while it is off is stored and marked muted',
    params: { category: pathParam('May hold slashes, escaped or not.') },
    body: json(() => categoryBodySchema),
    reply: ok('The changed category.', () => categorySchema),
    problems: [409],
  }),
});
