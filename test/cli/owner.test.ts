import { expect, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { output, run, startServer, temporaryDirectory } from '../support/kiroku'

const nobody = 65534
const isRoot = process.geteuid?.() === 0
if (!isRoot) console.warn("tests of root's commands are skipped: they need root")

test.skipIf(!isRoot)(
  'what root creates in somebody else’s directory belongs to them, and root is told',
  async () => {
    using directory = temporaryDirectory()
    chownSync(directory.path, nobody, nobody)
    const data = directory.file('data')
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, nobody, nobody)
    const elsewhere = directory.file('root-secret')
    writeFileSync(elsewhere, '')
    symlinkSync(elsewhere, `${data}/link`)
    linkSync(elsewhere, `${data}/hard-link`)
    const user = ['user', 'create', 'mio', '--email', 'mio@example.com', '--password-stdin']
    const { code, stderr } = await run(directory, user, { input: 'correct horse' })
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/runs as root: gave .*kiroku\.db.* to nobody \(uid 65534\)/),
    ])
    const others = readdirSync(data).filter((name) => statSync(`${data}/${name}`).uid !== nobody)
    expect(others.toSorted()).toEqual(['hard-link', 'link'])
    expect(statSync(elsewhere).uid).toBe(0)
    await using server = await startServer(directory, [], { uid: nobody })
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect((await run(directory, ['user', 'list'])).stderr).toBe('')
  },
)

test.skipIf(!isRoot)(
  'root follows no link of somebody else’s in place of backups/, but its own',
  async () => {
    using directory = temporaryDirectory()
    chownSync(directory.path, nobody, nobody)
    await output(directory, ['migrate', 'up'])
    const [link, elsewhere] = [directory.file('data/backups'), directory.file('elsewhere')]
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, link)
    lchownSync(link, nobody, nobody)
    for (const command of [['create'], ['list'], ['verify', 'all'], ['prune']]) {
      const { code, stderr } = await run(directory, ['backup', ...command])
      expect([code, stderr]).toEqual([
        78,
        expect.stringMatching(/backups is a link that does not belong to root/),
      ])
    }
    expect(readdirSync(elsewhere)).toEqual([])
    lchownSync(link, 0, 0)
    await output(directory, ['backup', 'create'])
    expect(readdirSync(elsewhere)).not.toEqual([])
  },
)

test.skipIf(!isRoot)(
  "a server that may not use root's directory says whose it is and what to type",
  async () => {
    using directory = temporaryDirectory()
    chownSync(directory.path, nobody, nobody)
    await output(directory, ['migrate', 'up'])
    const refused = async () => (await run(directory, ['serve', '--port', '0'], { uid: nobody })).stderr
    expect(await refused()).toInclude('data cannot be entered: it belongs to root (uid 0)')
    chownSync(directory.file('data'), nobody, nobody)
    expect(existsSync(directory.file('data/kiroku.lock'))).toBe(true)
    expect(await refused()).toMatch(
      /kiroku\.lock: .*belongs to root \(uid 0\).*as root: chown -R 65534 (?:\.\/)?data\n$/,
    )
  },
)
