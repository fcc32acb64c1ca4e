/** The options of a list that is read page by page. */
export const byCursor = {
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }: { readonly next_cursor?: string | null }) => next_cursor,
};
