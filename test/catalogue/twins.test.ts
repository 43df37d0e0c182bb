import { expect, test } from 'bun:test'
import { storeTwins } from '../../src/catalogue/twins'
import { catalogueStore } from '../support/catalogue-store'

test('of works that are all called the same, twenty pairs are kept, the first ones', async () => {
  const store = await catalogueStore()
  const { handle } = store
  for (let id = 1; id <= 3000; id += 1)
    handle.run(`insert into works (id, title, media, season_year, season, source_id)
      values (${id}, '同じ題名', 'tv', 2020, 'spring', 1)`)
  for (const _ of storeTwins(handle, 1, () => true));
  const pairs = store.rows('select work_id, other_id from twin_works order by 1, 2')
  expect(pairs).toEqual(Array.from({ length: 20 }, (_, at) => ({ work_id: 1, other_id: at + 2 })))
  store.close()
})
