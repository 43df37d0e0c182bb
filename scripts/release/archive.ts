import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { $ } from 'bun'

export interface ArchiveFiles {
  /** What is released. */
  readonly executable: string
  /** The same for this machine, which prints the manual and the completions. */
  readonly own: string
  readonly archive: string
}

/** A tar.gz with one folder of its own name, the same bytes for the same files: by name, by root, of the commit's time. */
export async function packArchive({ executable, own, archive }: ArchiveFiles): Promise<void> {
  const title = basename(archive, '.tar.gz')
  const folder = join(dirname(executable), title)
  for (const name of ['', 'completions', 'packaging']) mkdirSync(join(folder, name), { recursive: true })
  copyFileSync(executable, join(folder, 'kiroku'))
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(name, join(folder, name))
  for (const name of new Bun.Glob('*').scanSync('packaging'))
    copyFileSync(join('packaging', name), join(folder, 'packaging', name))
  await $`${own} man > ${join(folder, 'kiroku.1')}`
  for (const [shell, name] of completions)
    await $`${own} completion ${shell} > ${join(folder, 'completions', name)}`
  const time = (await $`git show --no-patch --format=%cI HEAD`.text()).trim()
  const anyone = ['--owner=root:0', '--group=root:0', '--mode=u=rwX,go=rX', '--sort=name', `--mtime=${time}`]
  await $`tar --create --format=ustar ${anyone} --directory ${dirname(folder)} ${title} | gzip -9 -n > ${archive}`
  rmSync(folder, { recursive: true })
}

/** Named as each shell looks for them. */
const completions = [
  ['bash', 'kiroku'],
  ['zsh', '_kiroku'],
  ['fish', 'kiroku.fish'],
] as const
