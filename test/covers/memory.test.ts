import { afterAll, expect, test } from 'bun:test'
import type { Bytes } from '../../src/http/bytes'
import { fillWithDefaultCatalogue } from '../support/default-catalogue'
import { output } from '../support/in-process'
import { formData } from '../support/instance'
import { type Server, startServer, temporaryDirectory } from '../support/kiroku'
import { peakOf } from '../support/memory'
import { progressive } from '../support/picture-files'
import { bomb, inflating, picture, withChunks } from '../support/pictures'
import { createVisitor, hiddenInputs, type Visitor } from '../support/visitor'

const directory = temporaryDirectory()
afterAll(() => directory[Symbol.dispose]())

const path = '/settings/avatar'

async function memberOf({ url }: Server): Promise<Visitor> {
  const ask = (target: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('origin', url)
    return fetch(url + target, { ...init, headers, redirect: 'manual' })
  }
  const visitor = createVisitor({ ask })
  await visitor.signIn('tester', 'correct horse battery staple')
  return visitor
}

test.skipIf(process.platform !== 'linux')(
  '60 pictures at once, as large as they may be or larger, leave less than 256 MB in memory (promise 12)',
  async () => {
    await fillWithDefaultCatalogue(directory)
    const user = ['user', 'create', 'tester', '--email', 'tester@example.com', '--password-stdin']
    await output(directory, user, { input: 'correct horse battery staple' })
    await using server = await startServer(directory, [], { catalogue: true })
    const member = await memberOf(server)
    const fields = hiddenInputs((await member.open(path)).text, path)
    const texts = new Array(100).fill(['zTXt', inflating(500_000)] as const)
    const sent: readonly Bytes[] = [
      bomb(4400),
      bomb(3162),
      new Uint8Array(await new Bun.Image(bomb(5400, 3700)).jpeg().bytes()),
      await progressive(bomb(3162)),
      new Uint8Array(await new Bun.Image(bomb(3162)).webp().bytes()),
      withChunks(await picture(300, 300, 'png'), texts),
    ]
    const upload = async (bytes: Bytes | undefined) => {
      const body = formData({ ...fields, picture: new File([bytes ?? ''], 'a.png') })
      const { status, headers } = await member.open(path, { method: 'POST', body })
      return status === 503 && headers.has('retry-after') ? 'later' : status
    }
    const all = Array.from({ length: 60 }, (_, n) => upload(sent[n % sent.length]))
    const answers = await Promise.all(all)
    expect(answers.filter((one) => one !== 303 && one !== 422 && one !== 'later')).toEqual([])
    expect(answers.filter((one) => one === 303).length).toBeGreaterThan(4)
    for (const [index, bytes] of sent.entries())
      expect([index, await upload(bytes)]).toEqual([index, index === 0 ? 422 : 303])
    expect(peakOf(server)).toBeLessThan(256_000_000)
  },
  300_000,
)
