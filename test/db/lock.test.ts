import { expect, test } from 'bun:test'
import { takeLock } from '../../src/db/lock'
import { Failure } from '../../src/lib/failure'
import { temporaryDirectory } from '../support/kiroku'

const lock = JSON.stringify(`${import.meta.dir}/../../src/db/lock.ts`)

/** A process of its own that holds the lock until it is killed, as it is at the end of a test that fails. */
async function holder(directory: string) {
  const program = `const { takeLock } = await import(${lock})
    takeLock(${JSON.stringify(directory)})
    Bun.gc(true)
    console.log('held')
    setInterval(() => Bun.gc(true), 10)`
  const child = Bun.spawn(['bun', '-e', program], { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  const { done } = await child.stdout.getReader().read()
  if (done) throw new Error('it did not take the lock')
  return { kill, [Symbol.asyncDispose]: kill }
}

test('a directory has one holder; another is refused as busy until the first lets go', () => {
  using directory = temporaryDirectory()
  const first = takeLock(directory.path)
  expect(() => takeLock(directory.path)).toThrow(
    new Failure('busy', `another kiroku is running on the data directory ${directory.path}`),
  )
  first.release()
  takeLock(directory.path).release()
})

test('the lock outlives garbage collection and is free when its process is killed', async () => {
  using directory = temporaryDirectory()
  await using child = await holder(directory.path)
  expect(() => takeLock(directory.path)).toThrow(Failure)
  await child.kill()
  takeLock(directory.path).release()
}, 30_000)
