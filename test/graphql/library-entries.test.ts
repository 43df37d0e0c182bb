import { afterAll, beforeEach, expect, test } from 'bun:test'
import { type Body, createInstance, type Instance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { asking, idOf } from './support'

let kiroku: Instance
let ask: ReturnType<typeof asking>
const opened: Instance[] = []
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
  opened.push(kiroku)
  ask = asking(kiroku)
})
afterAll(() => Promise.all(opened.map(({ close }) => close())))

const mutate = (name: string, input: string, payload: string) =>
  `mutation { ${name}(input: {${input}}) { ${payload} } }`

const work = idOf('Work', 1)

test('a library entry keeps its number when its status is removed and set again, and shares it with nobody', async () => {
  const entry = async (): Promise<string | undefined> => {
    const { viewer } = await ask.data(
      '{ viewer { libraryEntries { nodes { id work { annictId } status { id } } } } }',
    )
    return viewer.libraryEntries.nodes.find(({ work }: Body) => work.annictId === 1)?.id
  }
  const set = (state: string) =>
    ask.data(mutate('updateStatus', `workId: "${work}", state: ${state}`, 'clientMutationId'))
  const before = await entry()
  await set('NO_STATE')
  expect(await entry()).toBe(undefined)
  expect(await ask.errors(`{ node(id: "${before}") { id } }`)).toEqual(['not found: no object has this id'])
  await set('WATCHED')
  expect(await entry()).toBe(before)
  const status = `{ node(id: "${before}") { ... on LibraryEntry { note status { id annictId state } } } }`
  const { node } = await ask.data(status)
  expect(node).toEqual({
    note: '',
    status: { id: expect.any(String), annictId: 1_000_000_001, state: 'WATCHED' },
  })
  const current = await ask.data(
    `{ node(id: "${node.status.id}") { ... on Status { state user { username } work { annictId } } } }`,
  )
  expect(current.node).toEqual({ state: 'WATCHED', user: { username: 'mio' }, work: { annictId: 1 } })
})

test('notes are shown only to their author', async () => {
  kiroku.store.handle.run("insert into notes (user_id, work_id, text, updated_at) values (1, 1, '秘密', 1)")
  const query = '{ user(username: "mio") { libraryEntries(first: 1) { nodes { note } } } }'
  const other = await kiroku.tokenOf('Ritsu_T', 'read')
  expect((await ask.data(query)).user.libraryEntries.nodes).toEqual([{ note: '秘密' }])
  expect((await ask.data(query, {}, other)).user.libraryEntries.nodes).toEqual([{ note: '' }])
})

test('nextEpisode is the first without a record, nextProgram its broadcast on the chosen channels', async () => {
  const next = async () => {
    const { viewer } = await ask.data(
      '{ viewer { libraryEntries(states: WATCHING, first: 1) { nodes { nextEpisode { annictId } nextProgram { annictId } } } } }',
    )
    const [{ nextEpisode, nextProgram }] = viewer.libraryEntries.nodes
    return [nextEpisode?.annictId, nextProgram?.annictId]
  }
  const watched = (number: number) =>
    ask.data(mutate('createRecord', `episodeId: "${idOf('Episode', number)}"`, 'clientMutationId'))
  expect(await next()).toEqual([4, undefined])
  await watched(4)
  expect(await next()).toEqual([2, 2])
  kiroku.store.handle.run('insert into user_channels (user_id, channel_id) values (1, 1)')
  expect(await next()).toEqual([2, undefined])
  await watched(2)
  await watched(3)
  expect(await next()).toEqual([undefined, undefined])
})
