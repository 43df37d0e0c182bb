import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recorder } from '../recorder'

/** Every command: its help, wrong words, and what it does to the instance, in a fixed order. */
export async function commands(recorder: Recorder): Promise<void> {
  recorder.begin('commands')
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
  for (const line of lines) await recorder.run(line.split(' ').map((word) => word.replaceAll('_', ' ')))
  for (const [environment, file] of configurations) {
    mkdirSync(join(recorder.instance.folder, 'configured'), { recursive: true })
    writeFileSync(join(recorder.instance.folder, 'configured', 'kiroku.toml'), file)
    await recorder.run(['migrate', 'status', '--data', 'configured'], { environment })
    await recorder.run(['setup-url', '--data', 'configured', '--base-url', 'nonsense'], { environment })
  }
}

const lines = [
  'nothing',
  'user nothing',
  'help nothing',
  '--version',
  '-h',
  'version',
  'version --json',
  'user list',
  'user list --json',
  'user create mio --email a@example.com --password-stdin',
  'user create a_b --email x --password-stdin',
  'user promote ritsu',
  'user demote ritsu',
  'user demote mio',
  'user disable nodoka',
  'user enable nodoka',
  'user enable nobody',
  'user reset-password mio',
  'user reset-password nobody',
  'user follow mio nodoka',
  'user follow mio mio',
  'user unfollow mio nodoka',
  'user mute mio nodoka',
  'user unmute mio nodoka',
  'user two-step-off mio',
  'user export mio',
  'user export nobody',
  'user export ritsu ritsu.json',
  'invite create',
  'invite create --uses 3 --expires-in 30d --note film_club --base-url http://localhost',
  'invite create --uses 0',
  'invite create --expires-in soon',
  'invite list',
  'invite list --json',
  'invite withdraw 1',
  'invite withdraw 99',
  'invite withdraw x',
  'token create mio --description made --scope read_write',
  'token create nobody --description x',
  'token create mio',
  'token create mio --description x --scope all',
  'token create mio --description x --expires-in 0d',
  'token list mio',
  'token list mio --json',
  'token list nobody',
  'token revoke 2',
  'token revoke 2',
  'token revoke x',
  'app create mio --name App --redirect-uri https://a.example/',
  'app create mio --name App --redirect-uri http://a.example/#',
  'app create mio --name App',
  'app list',
  'app list --json',
  'app revoke nobody',
  'catalogue status',
  'catalogue status --json',
  'catalogue import pack.jsonl --dry-run',
  'catalogue import pack.jsonl --json',
  'catalogue import pack.jsonl --source other',
  'catalogue import none.jsonl',
  'catalogue import clock',
  'catalogue export',
  'catalogue export out.jsonl',
  'catalogue import out.jsonl --match-titles',
  'migrate status',
  'migrate status --json',
  'migrate up',
  'check',
  'check --json',
  'check --deep',
  'check --repair --json',
  'check --data none',
  'setup-url',
  'healthcheck --port 1',
  'healthcheck',
  'demo --users 3',
  'demo --users x --records 5',
  'demo --users 3 --records 10',
  'demo --users 3 --records 30 --seed 2 --until 2026-10-01 --data demo',
  'user list --json --data demo',
  'serve --rate-limit x',
  'serve --port 99999',
  'serve --data data',
  'serve --smtp-url x',
  'serve --trusted-proxies x',
  'serve --hsts maybe',
  'serve --registration maybe',
  'user delete nodoka --keep-comments',
  'user delete nodoka',
  'user delete mugi',
  'user list',
]

const configurations: readonly (readonly [environment: Readonly<Record<string, string>>, file: string])[] = [
  [{}, ''],
  [{}, 'port = "x"\n'],
  [{}, 'nothing = 1\n'],
  [{}, 'port = = 1\n'],
  [{}, 'base_url = "ftp://x"\nrate_limit = 0\n'],
  [{ KIROKU_PORT: 'x' }, ''],
  [{ KIROKU_NOTHING: 'x' }, ''],
  [{ KIROKU_PORT_FILE: 'none' }, ''],
  [{ KIROKU_PORT: '1', KIROKU_PORT_FILE: 'clock' }, ''],
  [{ KIROKU_REGISTRATION: 'maybe', KIROKU_HSTS: '' }, ''],
  [{ KIROKU_CONFIG: 'none.toml' }, ''],
  [{ KIROKU_VERBOSE: 'maybe' }, ''],
]
