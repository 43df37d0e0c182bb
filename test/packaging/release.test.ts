import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { $ } from 'bun'
import manifest from '../../package.json'
import { leftOut } from '../../scripts/compile'
import { graphiqlMetafile } from '../../scripts/graphiql'
import { packArchive } from '../../scripts/release/archive'
import { billOfMaterials } from '../../scripts/release/bill-of-materials'
import { releaseNotes } from '../../scripts/release/notes'
import { packagesIn } from '../../scripts/release/packages'
import type { Body } from '../support/instance'
import { temporaryDirectory } from '../support/kiroku'

const directory = temporaryDirectory()
afterAll(() => directory[Symbol.dispose]())

/** Bundles, without the runtime. */
async function bundledPackages(): Promise<readonly string[]> {
  const [out, metafile] = [directory.file('bundle'), directory.file('metafile.json')]
  await $`${process.execPath} build --target=bun --splitting ${leftOut} --outdir=${out} --metafile=${metafile} src/main.ts`.quiet()
  return packagesIn(await Bun.file(metafile).json(), await graphiqlMetafile())
}

describe('the bill of materials', async () => {
  const packages = await bundledPackages()
  const bill: Body = JSON.parse(await billOfMaterials(packages))

  test('names every package with files in the executable, and no others', () => {
    const names = bill.components.map(({ name }: Body) => name)
    expect(names).toEqual(['bun', ...packages])
    for (const name of ['elysia', 'kysely', 'swagger-ui-dist', 'react-dom', 'bangumi-data'])
      expect(names).toContain(name)
    for (const name of ['typescript', 'fast-check', '@biomejs/biome']) expect(names).not.toContain(name)
  })

  test("has the version, the lock file's hash and the licence of each", () => {
    for (const { name, version, licenses, hashes, purl } of bill.components.slice(1)) {
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
      expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/)
      expect(licenses[0].expression ?? licenses[0].license.id).toMatch(/^[\w.-]+( AND [\w.-]+)*$/)
    }
  })

  test('NOTICE names each of them too', () => {
    const notice = readFileSync('NOTICE', 'utf8')
    const isNamed = (name: string) =>
      new RegExp(`(^|[\\s,])${RegExp.escape(name)}([\\s,]|$)`, 'm').test(notice)
    expect(packages.filter((name) => !isNamed(name))).toEqual([])
  })
})

test('an archive of the same files has the same bytes, and everything that an operator installs', async () => {
  const executable = directory.file('kiroku')
  await Bun.write(executable, '#!/bin/sh\necho "$@"\n')
  chmodSync(executable, 0o755)
  const hashes = []
  for (const run of ['one', 'two']) {
    const archive = directory.file(`${run}/kiroku-1-linux.tar.gz`)
    await $`mkdir ${directory.file(run)}`
    await packArchive({ executable, own: executable, archive })
    hashes.push(Bun.SHA256.hash(await Bun.file(archive).bytes(), 'hex'))
  }
  expect(hashes[0]).toBe(hashes[1])
  const entries = (await $`tar -tvzf ${directory.file('one/kiroku-1-linux.tar.gz')} --utc`.text())
    .trim()
    .split('\n')
  const commit = new Date((await $`git show --no-patch --format=%cI HEAD`.text()).trim())
  const [day = '', time = ''] = commit.toISOString().split('T')
  const owned = new RegExp(`^[-drwx]{10} root/root +\\d+ ${day} ${time.slice(0, 5)}`)
  expect(entries.filter((entry) => !owned.test(entry))).toEqual([])
  const list = (await $`tar -tzf ${directory.file('one/kiroku-1-linux.tar.gz')}`.text()).split('\n')
  const files = ['kiroku', 'LICENSE', 'NOTICE', 'kiroku.1', 'completions/_kiroku', 'packaging/kiroku.service']
  for (const file of files) expect(list).toContain(`kiroku-1-linux/${file}`)
  const packaged = list.filter((name) => name.includes('/packaging/') && !name.endsWith('/'))
  expect(packaged).toHaveLength(readdirSync('packaging').length)
})

test('the notes are the section of the version, which must exist', () => {
  const changelog = '# Changelog\n\n## 2.0.0\n\n- New.\n\n## 1.0.0 (unreleased)\n\n- First,\n  and more.\n'
  expect(releaseNotes(changelog, '2.0.0')).toBe('- New.\n')
  expect(releaseNotes(changelog, '1.0.0')).toBe('- First,\n  and more.\n')
  expect(() => releaseNotes(changelog, '1.0')).toThrow('CHANGELOG.md has no section 1.0')
  expect(releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), manifest.version)).not.toBe('')
})
