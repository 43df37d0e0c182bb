import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { guardedTables } from '../../db/facts/withheld'
import { createInstance } from '../support/instance'
import { references } from '../support/member-rows'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)

/** Why rows of people need no guard. A new table with a person in it is guarded (db/facts/withheld.ts) or stands here. */
const ownerOnly: Readonly<Record<string, string>> = {
  acts: 'the history of their own',
  applications: 'by their number, with nothing of their owner',
  authorization_codes: 'by their secret',
  blocks: 'the list of their own',
  catalogue_changes: 'the history of the catalogue, to members, of private profiles to editors (D95)',
  catalogue_moves: 'what the undo of a merge reads',
  catalogue_proposals: 'their own, and editors',
  changes: 'what undo reads',
  deletions: 'that an account is gone',
  destinations: 'the list of their own',
  deliveries: 'what players of their own reported',
  device_grants: 'by their secret',
  devices: 'by their secret',
  feeds: 'by their secret, and the list of their own',
  follow_requests: 'the lists of their own',
  form_receipts: 'by the page that pressed',
  former_images: 'the pictures of their own',
  hooks: 'by their secret, and the list of their own',
  identities: 'the list of their own',
  images: 'by their address, as avatars and covers are',
  invitations: 'administrators, and by their secret',
  laps: 'joined to records of their own',
  left_out_series: 'the inbox of their own',
  library_entries: 'joined to a guarded status',
  likes: 'counted only (D74), and told to whom they are addressed',
  list_choices: 'the imports of their own',
  list_imports: 'the imports of their own',
  mutes: 'the list of their own',
  notes: 'their own',
  notifications: 'their own',
  one_time_links: 'by their secret',
  outgoing: 'the list of their own',
  own_slots: 'the calendar of their own',
  passkeys: 'the list of their own',
  privacy_moves: 'part of the guard',
  moderations: 'administrators, and whose it is',
  recovery_codes: 'by their secret',
  reports: 'administrators',
  second_factors: 'by their session',
  sessions: 'by their secret',
  sign_ins: 'the list of their own',
  skips: 'joined to episodes of their own',
  table_shapes: 'the imports of their own',
  tokens: 'by their secret',
  user_channels: 'the channels of their own',
  users: 'who invited them, for administrators',
  waiting_tables: 'the imports of their own',
}

test('every table with a person in it is guarded, or known to show its owner alone (D72)', () => {
  const tables = [...new Set(references(kiroku.store.handle).map(([table]) => table))]
  expect([...guardedTables, ...Object.keys(ownerOnly)].toSorted()).toEqual(tables.toSorted())
})

test('each read but the bare ones goes through the guard, whose tables are views there (D72)', async () => {
  const { read, readAs, crowdAs, readBare, trackedRead, warmRead } = kiroku.store
  const views = async (one: Pick<typeof read, 'executeQuery'>) => {
    const query = sql<{ name: string }>`select name from temp.sqlite_schema where type = 'view'`
    return (await query.execute(one as never)).rows.map(({ name }) => name)
  }
  const expected = [...guardedTables, 'users'].toSorted()
  const tracked = [trackedRead('shared', 0).read, trackedRead('seen', 1).read]
  for (const one of [read, readAs(1), crowdAs(1), ...tracked])
    expect((await views(one)).toSorted()).toEqual(expected)
  for (const one of [readBare, warmRead()]) expect(await views(one)).toEqual([])
})
