import { expect, test } from 'bun:test'
import { takeLock } from '../../src/db/lock'
import { Failure } from '../../src/lib/failure'
import { temporaryDirectory } from '../support/kiroku'

const lock = JSON.stringify(`${import.meta.dir}/../../src/db/lock.ts`)

/** A separate process that holds the lock until it is killed, also at the end of a failed test. */
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

test('a directory has one holder; another is refused as busy until the first one releases it', () => {
  using directory = temporaryDirectory()
  const first = takeLock(directory.path)
  expect(() => takeLock(directory.path)).toThrow(
    new Failure('busy', `another kiroku is running on the data directory ${directory.path}`),
  )
  first.release()
  takeLock(directory.path).release()
})

test('the lock survives garbage collection and is released when its process is killed', async () => {
  using directory = temporaryDirectory()
  await using child = await holder(directory.path)
  expect(() => takeLock(directory.path)).toThrow(Failure)
  await child.kill()
  takeLock(directory.path).release()
})
