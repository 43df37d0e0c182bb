import { writeFileSync } from 'node:fs'
import { createInstance } from './instance'
import { Recorder } from './recorder'
import { sections } from './sections'
import { seedByCommands } from './seed'

/** The base URL has no port, so that no answer has one. */
export const serverFlags = ['--base-url', 'http://localhost', '--no-catalogue', '--registration', 'open']

/** Asks an executable everything and writes the answers to a file, as JSON Lines. */
export async function record(executable: string, file: string): Promise<void> {
  const began = performance.now()
  const instance = createInstance(executable)
  const recorder = new Recorder(instance)
  try {
    await seedByCommands(recorder)
    await instance.serve([...serverFlags, '--rate-limit', 'off'])
    for (const section of sections) await section(recorder)
  } finally {
    await instance.stop()
    instance.remove()
  }
  writeFileSync(file, recorder.answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''))
  const counts = new Map<string, number>()
  for (const { kind } of recorder.answers) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  for (const [kind, count] of counts) console.log(String(count).padStart(6), kind)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${recorder.answers.length} answers in ${seconds} s: ${file}`)
}
