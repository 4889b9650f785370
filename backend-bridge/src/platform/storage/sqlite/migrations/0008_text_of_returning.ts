/** A restore indexes its rows itself (text.ts): the trigger also ran for each arrival, a seventh of its cost. */
export const TEXT_OF_RETURNING = ['drop trigger notifications_text_insert'];
