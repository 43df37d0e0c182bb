import { closeSync, openSync, writeSync } from 'node:fs'
import type { Answer } from './answer'
import { createInstance } from './instance'
import { Recorder } from './recorder'
import { sections } from './sections'
import { seedByCommands } from './seed'
import { serverFlags } from './server-flags'
import { Tally } from './tally'

export async function record(executable: string, file: string, only?: string): Promise<void> {
  if (only !== undefined && !(only in sections)) throw new Error(`no section ${only}`)
  const out = openSync(file, 'w')
  const tally = new Tally()
  const write = (answer: Answer) => {
    writeSync(out, `${JSON.stringify(answer)}\n`)
    tally.add(answer)
  }
  const instance = createInstance(executable)
  const recorder = new Recorder(instance, write)
  try {
    await seedByCommands(recorder)
    tally.print('seed')
    await recorder.serve([...serverFlags, '--rate-limit', 'off'])
    for (const [name, section] of Object.entries(sections)) {
      if (only !== undefined && name !== only) continue
      await section(recorder)
      tally.print(name)
    }
    await recorder.stop()
    tally.print('log')
  } finally {
    await instance.stop()
    instance.remove()
    closeSync(out)
  }
  tally.printTotal()
}
