import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recorder } from '../recorder'
import { serverFlags } from '../server-flags'
import { configurations, configured, lines } from './command-lines'

/** Every command: its help, wrong arguments, and its effects in a fixed order. */
export async function commands(recorder: Recorder): Promise<void> {
  recorder.begin('commands')
  await recorder.serve([...serverFlags, '--rate-limit', 'off'])
  const { stdout } = await recorder.run(['help'])
  const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]*(?: [a-z][a-z-]*)?) {2,}/gm)].map(([, name = '']) =>
    name.split(' '),
  )
  for (const name of names) {
    await recorder.run([...name, '--help'])
    await recorder.run(['help', ...name])
    for (const rest of [
      ['--nothing'],
      ['--data'],
      ['--data', 'none', 'a', 'b', 'c', 'd'],
      ['--verbose=x', 'x', 'y', 'z', 'q'],
    ])
      await recorder.run([...name, ...rest])
  }
  const port = String(recorder.instance.port)
  recorder.masks.learn(`--port ${port}`, '--port <port>')
  for (const line of lines) {
    const words = line.split(' ').map((word) => (word === 'PORT' ? port : word.replaceAll('_', ' ')))
    await recorder.run(words, { isLong: /^(demo|catalogue import)/.test(line) })
  }
  for (const [environment, file] of configurations) {
    mkdirSync(join(recorder.instance.folder, 'configured'), { recursive: true })
    writeFileSync(join(recorder.instance.folder, 'configured', 'kiroku.toml'), file)
    const note = JSON.stringify(file)
    for (const words of configured)
      await recorder.run([...words, '--data', 'configured'], { environment, note })
  }
}
