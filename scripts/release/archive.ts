import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { $ } from 'bun'

export interface ArchiveFiles {
  /** The executable to release. */
  readonly executable: string
  /** The same for this machine, which prints the manual and completions. */
  readonly own: string
  readonly archive: string
}

/** A tar.gz with one folder of the same name, reproducible: sorted, owned by root, with the commit's time. */
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

/** File names under which each shell looks for them. */
const completions = [
  ['bash', 'kiroku'],
  ['zsh', '_kiroku'],
  ['fish', 'kiroku.fish'],
] as const
