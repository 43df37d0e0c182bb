/** The tables a community is written into, each after those it refers to. */
export const writtenTables: readonly string[] = [
  ...['users', 'records', 'reviews', 'statuses', 'activities', 'activity_records', 'likes', 'follows'],
  ...['notifications', 'mutes', 'favorites', 'user_channels'],
]
