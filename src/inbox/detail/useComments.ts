import { useMutation } from '@tanstack/react-query';
import { addComment, changeComment } from '../../api/respond';
import { t } from '../../i18n/t';

/** Adds, edits and deletes comments. `add` rejects if it fails. */
export function useComments() {
  const rereads = [['inbox']];
  const meta = { failure: t('inbox.failure.comment', 'Could not save the comment'), rereads };
  const add = useMutation({
    mutationFn: ({ id, text }: { id: number; text: string }) => addComment(id, text),
    meta,
  });
  const edit = useMutation({
    mutationFn: ({ comment, text }: { comment: number; text: string }) => changeComment(comment, text),
    meta,
  });
  const remove = useMutation({
    meta: { failure: t('inbox.failure.delete-comment', 'Could not delete the comment'), rereads },
    mutationFn: (comment: number) => changeComment(comment, undefined),
  });
  return { add: add.mutateAsync, edit, remove: remove.mutate };
}
