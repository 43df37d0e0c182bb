import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Body, createInstance } from '../../support/instance'
import { seedExamples } from '../../support/seed-library'

const kiroku = await createInstance({ seed: seedExamples })
const listening = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request, server) => kiroku.handle(request, server.requestIP(request)?.address ?? ''),
})
const directory = mkdtempSync(join(tmpdir(), 'kiroku-clients-'))
const root = join(import.meta.dir, '../../..')

afterAll(async () => {
  rmSync(directory, { recursive: true })
  await listening.stop(true)
  await kiroku.close()
})

/** A program that uses a generated client; what it prints is JSON. */
const programs = {
  'openapi-fetch.ts': `
    import createClient from 'openapi-fetch'
    import type { paths } from './schema'

    const headers = { Authorization: \`Bearer \${process.env.TOKEN}\` }
    const client = createClient<paths>({ baseUrl: process.env.BASE_URL ?? '', headers })
    const all = await client.GET('/v1/works')
    const query = { filter_title: '庭', sort_watchers_count: 'desc', per_page: 1, page: 1 } as const
    const found = await client.GET('/v1/works', { params: { query } })
    const body = { episode_id: 1, comment: '星 & 100%', rating_state: 'great' } as const
    const made = await client.POST('/v1/me/records', { body })
    const kind = 'watched' as const
    const set = await client.POST('/v1/me/statuses', { body: { work_id: 2, kind } })
    const edited = await client.PATCH('/v1/me/records/{id}', {
      params: { path: { id: made.data?.id ?? 0 } },
      body: { comment: 'edited' },
    })
    // @ts-expect-error so it needs a body
    const withoutBody = () => client.POST('/v1/me/records')
    // @ts-expect-error a record needs an episode
    const refused = await client.POST('/v1/me/records', { body: { comment: 'x' } })
    console.log(JSON.stringify({
      all: all.data?.total_count,
      found: found.data?.works.map(({ title, images }) => [title, images.recommended_url]),
      made: [made.data?.comment, made.data?.rating_state, made.data?.episode.id],
      set: set.response.status,
      edited: [edited.data?.comment, edited.data?.is_modified],
      refused: refused.error?.errors[0]?.developer_message,
    }))`,
  'hey-api-client.ts': `
    import { getWorks, patchMeRecordsById, postMeRecords, postMeStatuses } from './hey-api'
    import { client } from './hey-api/client.gen'

    client.setConfig({ baseUrl: process.env.BASE_URL ?? '', auth: process.env.TOKEN ?? '' })
    const all = await getWorks()
    const query = { filter_title: '庭', sort_watchers_count: 'desc', per_page: 1, page: 1 } as const
    const found = await getWorks({ query })
    const body = { episode_id: 1, comment: '星 & 100%', rating_state: 'great' } as const
    const made = await postMeRecords({ body })
    const set = await postMeStatuses({ body: { work_id: 2, kind: 'watched' } })
    const edited = await patchMeRecordsById({ path: { id: made.data?.id ?? 0 }, body: { comment: 'edited' } })
    // @ts-expect-error so it needs a body
    const withoutBody = () => postMeRecords()
    // @ts-expect-error a record needs an episode
    const refused = await postMeRecords({ body: { comment: 'x' } })
    console.log(JSON.stringify({
      all: all.data?.total_count,
      found: found.data?.works.map(({ title, images }) => [title, images.recommended_url]),
      made: [made.data?.comment, made.data?.rating_state, made.data?.episode.id],
      set: set.response?.status,
      edited: [edited.data?.comment, edited.data?.is_modified],
      refused: refused.error?.errors[0]?.developer_message,
    }))`,
}

const compilerOptions = {
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['bun-types'],
}

/** Runs a command in the directory; returns its standard output, and fails the test if it fails. */
async function run(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  const options = { cwd: directory, env: { PATH, HOME, ...env }, stdout: 'pipe', stderr: 'pipe' } as const
  const child = Bun.spawn([...command], options)
  const [code, printed, problem] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  expect({ command, code, problem, printed: code === 0 ? '' : printed }).toEqual({
    command,
    code: 0,
    problem: '',
    printed: '',
  })
  return printed
}

beforeAll(async () => {
  // Generated code and programs import packages of this repository.
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  const document = join(directory, 'openapi.json')
  await Bun.write(document, await (await kiroku.ask('/openapi.json')).text())
  await Bun.write(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  for (const [name, program] of Object.entries(programs)) await Bun.write(join(directory, name), program)
  await run([process.execPath, join(root, 'test/support/generate-clients.ts'), document, directory])
}, 120_000)

test('clients that generators create from the document compile, and so do programs that use them', async () => {
  await run([process.execPath, 'x', 'tsc', '--project', directory])
}, 120_000)

describe.each(Object.keys(programs))('%s', (name) => {
  test('requests lists, lists with a query, writes and edits', async () => {
    const surroundings = { TOKEN: kiroku.token, BASE_URL: listening.url.origin }
    const printed: Body = JSON.parse(await run([process.execPath, name], surroundings))
    const { total_count } = await kiroku.json('/v1/works')
    const { works } = await kiroku.json('/v1/works?filter_title=庭&sort_watchers_count=desc&per_page=1')
    expect(printed).toEqual({
      all: total_count,
      found: [[works[0].title, works[0].images.recommended_url]],
      made: ['星 & 100%', 'great', 1],
      set: 204,
      edited: ['edited', true],
      refused: 'episode_id is required.',
    })
  }, 60_000)
})
