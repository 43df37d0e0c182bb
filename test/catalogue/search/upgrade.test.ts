import { expect, test } from 'bun:test'
import { findRows } from '../../../src/catalogue/search/find'
import { openUpgraded, upgrade } from '../../../src/cli/open'
import { migrate } from '../../../src/db/migrate'
import { migrations } from '../../../src/db/migrations'
import { openHandle, prepareDirectory } from '../../../src/db/open'
import { temporaryDirectory } from '../../support/kiroku'

test('works in a database from before the index are found after the upgrade', async () => {
  using directory = temporaryDirectory()
  prepareDirectory(directory.path)
  const handle = openHandle(directory.path)
  const before = Object.entries(migrations).filter(([name]) => name < '0011')
  await migrate(handle, Object.fromEntries(before))
  handle.run("insert into works (id, title, media, source_id) values (7, '旅・記録', 'tv', 1)")
  handle.close()
  expect((await upgrade(directory.path, Date.now)).applied).toContain('0011_search_keys')
  const store = openUpgraded(directory.path)
  expect(await findRows(store.read, 'works', 'たび')).toEqual([])
  expect(await findRows(store.read, 'works', '旅記録')).toEqual([7])
  await store.close()
})
