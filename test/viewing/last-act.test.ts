import { afterAll, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { createMember } from '../support/visitor'

const kiroku = await createInstance()
const { handle } = kiroku.store
const member = await createMember(kiroku, 'mio')
afterAll(kiroku.close)

test('a list that may grow offers its next episode first, and Watched only once its year is over', async () => {
  handle.run("insert into statuses (user_id, work_id, kind, changed_at) values (1, 4, 'watching', 1)")
  const actsOf = (text: string) =>
    [
      ...(/data-work="4"([\s\S]*?)<\/li>/.exec(text)?.[1]?.matchAll(/<button class="(\w+) small"/g) ?? []),
    ].map(([, look]) => look)
  handle.run(
    'insert into episodes (id, work_id, number, sort_number, estimated, source_id) values (4001, 4, 1, 10, 1, 1)',
  )
  handle.run(
    'insert into records (user_id, work_id, episode_id, watched_at, created_at) values (1, 4, 4001, 1, 1)',
  )
  handle.run('update works set season_year = 2026 where id = 4')
  expect(actsOf((await member.open('/')).text)).toEqual(['outlined'])
  handle.run('update works set season_year = 2020 where id = 4')
  expect(actsOf((await member.open('/')).text)).toEqual(['outlined', 'quiet'])
  handle.run('update episodes set estimated = 0 where id = 4001')
  expect(actsOf((await member.open('/')).text)).toEqual(['outlined'])
  handle.run('delete from records where episode_id = 4001')
  handle.run('delete from episodes where id = 4001')
})
