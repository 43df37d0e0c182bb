import { afterAll, expect, test } from 'bun:test'
import { routes } from '../../src/app'
import { createInstance } from '../support/instance'
import { pageSamples } from '../support/page-samples'
import { createMember } from '../support/visitor'

const kiroku = await createInstance({ config: { registration: 'open' } })
afterAll(kiroku.close)

const answersOfPrograms = [
  '/covers/:file',
  '/@:username/:period/share.svg',
  '/@:username/:period/share.png',
  '/@:username/now.svg',
  '/feeds/:file',
  '/feeds/:file/following.atom',
  '/settings/import/:id/rest.csv',
  // To a provider and back.
  ...['/sign_in/with/:id', '/sign_in/with/:id/back'],
]

test('every page address with a parameter has a sample that leads to a page', async () => {
  const samples = await pageSamples(kiroku)
  const named = routes.filter(({ method, path }) => method === 'GET' && path.includes('/:'))
  const pages = named.map(({ path }) => path).filter((path) => !answersOfPrograms.includes(path))
  const lacking = pages.filter((path) => !(path in samples))
  expect(lacking, 'each has an entry in test/support/page-samples.ts').toEqual([])
  const azusa = await createMember(kiroku, 'azusa')
  for (const path of pages)
    expect([path, (await azusa.open(samples[path] ?? '')).status]).not.toEqual([path, 404])
})
