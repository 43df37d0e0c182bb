import { Database } from 'bun:sqlite'
import { databasePath } from '../src/db/open'
import type { Contents } from './scenarios'

/** KIROKU_BENCH_EXECUTABLE names another one, to compare with. */
export const executable = process.env.KIROKU_BENCH_EXECUTABLE ?? 'dist/kiroku'

/** Returns standard output. Throws if the command fails. */
export async function kiroku(args: readonly string[], input = ''): Promise<string> {
  const child = Bun.spawn([executable, ...args], { stdin: new Blob([input]), stdout: 'pipe', stderr: 'pipe' })
  const [code, printed, problem] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  if (code !== 0) throw new Error(`kiroku ${args.join(' ')} ended with ${code}: ${problem}`)
  return printed.trim()
}

export async function makeToken(data: string): Promise<string> {
  const user = ['user', 'create', 'bench', '--email', 'bench@example.com', '--password-stdin']
  await kiroku([...user, '--data', data], 'correct horse battery staple')
  const token = ['token', 'create', 'bench', '--description', 'bench', '--scope', 'read write']
  return kiroku([...token, '--data', data])
}

export function contentsOf(data: string): Contents {
  using handle = new Database(databasePath(data), { readonly: true })
  const rows = handle
    .query<{ title: string }, []>(
      'select title from works where hidden = 0 order by id * 7919 % 10007 limit 2000',
    )
    .all()
  const [works] = handle.query<{ n: number }, []>('select count(*) as n from works where hidden = 0').all()
  return { works: works?.n ?? 0, titles: rows.map(({ title }) => title) }
}
