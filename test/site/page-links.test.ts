import { afterAll, expect, test } from 'bun:test'
import { routes } from '../../src/app'
import { speculationPath } from '../../src/pages/installed'
import { enrolled } from '../support/authenticator'
import { createInstance } from '../support/instance'
import { pageSamples } from '../support/page-samples'
import { createVisitor } from '../support/visitor'

const kiroku = await createInstance({ config: { registration: 'open' } })
afterAll(kiroku.close)

/** Addresses of pages, by how else than by a link people come to them. */
const notLinked = {
  'by a letter or an invitation': [
    ...['/setup/:link', '/sign_up/:link', '/reset_password/:link', '/settings/email/:link'],
    ...['/invitations/:code', '/sign_in/link/:link', '/unsubscribe/:secret'],
  ],
  'as the answer to a form': [
    ...['/kept', '/sign_in/code', '/confirm', '/confirm/code', '/welcome', '/welcome/catalogue'],
    ...[
      '/account_deleted',
      '/settings/delete_account/code',
      '/settings/delete_account/name',
      '/settings/import/columns',
    ],
    ...['/settings/two_step/set_up', '/settings/import/:id/rest.csv'],
  ],
  'when a form is sent to it without its page': ['/settings/import/annict', '/settings/data'],
  'from a device or an application': ['/device', '/oauth/authorize'],
  'by the script, or by the device': ['/offline', '/share', '/outbox'],
  'by an address for now, which leads there': ['/seasons/:season'],
  'where a provider is set up': [
    ...['/sign_in/with/:id', '/sign_in/with/:id/back', '/sign_in/new', '/signed_out', '/settings/providers'],
  ],
  'by the address of a row, whose page asks for the other one': [
    ...['/catalogue/people/:id/merge', '/catalogue/organizations/:id/merge'],
    ...['/catalogue/characters/:id/merge', '/catalogue/series/:id/merge'],
  ],
  'as another address of a page': [
    '/admin/catalogue/twins',
    '/seasons/next',
    '/seasons/last',
    '/works/:id/:slug',
    '/@:username/library',
  ],
}

/** For programs. */
const noPages = [
  ...['/docs/errors', '/oauth/token/info', '/.well-known/oauth-authorization-server'],
  '/.well-known/passkey-endpoints',
  ...['/livez', '/readyz', '/robots.txt', '/@:username/now.svg', '/@:username/:period/share.png'],
  ...[
    '/manifest.webmanifest',
    '/sw.js',
    speculationPath,
    '/feeds/:file',
    '/feeds/:file/following.atom',
    '/hooks/*',
  ],
]

/** Pages in a state in which they link further. */
const otherSamples = [
  ...['/search?q=海', '/search?q=何も見つからない', '/@mio', '/admin/users/2', '/admin/users?state=waiting'],
  ...['/admin/catalogue/sources/syobocal', '/admin/catalogue/sources/kiroku'],
]

const paths = routes.filter(({ method }) => method === 'GET').map(({ path }) => path)

test('each page is linked from another page, or known to be reached in another way', async () => {
  const samples = await pageSamples(kiroku)
  kiroku.store.handle.run('update users set is_admin = 1, is_editor = id = 2 where id in (2, 4)')
  kiroku.store.handle.run("insert into catalogue_sources (name, is_enabled) values ('syobocal', 1)")
  const visitors = [createVisitor(kiroku), (await enrolled(kiroku, 'azusa')).member]
  kiroku.store.handle.run('update users set has_passkey_step = 1 where id = 4')
  const targets = [...paths.map((path) => samples[path] ?? path), ...otherSamples]
  const linked = new Set<string>()
  for (const visitor of visitors)
    for (const target of targets) for (const path of await linkedFrom(visitor, target)) linked.add(path)
  const others = [...Object.values(notLinked).flat(), ...noPages]
  const lonely = paths.filter((path) => !linked.has(path) && !others.includes(path))
  expect(lonely, 'link each from where people look for it').toEqual([])
  expect(others.filter((path) => linked.has(path) || !paths.includes(path))).toEqual([])
})

/** The declared paths of the links on a page to other pages, and of its forms that open a page. */
async function linkedFrom(visitor: ReturnType<typeof createVisitor>, target: string): Promise<string[]> {
  const { text } = await visitor.open(target)
  const links = text.matchAll(/<(?:a|form(?![^>]*method="post"))\b[^>]*? (?:href|action)="(\/[^"]*)"/g)
  const here = pathOf(target)
  return [...links].flatMap(([, link = '']) => pathOf(link) ?? []).filter((path) => path !== here)
}

/** The declared path of an address; of several, the one with the fewest parameters. */
function pathOf(target: string): string | undefined {
  const [address = ''] = target.split(/[?#]/)
  const fitting = paths.filter((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(address))
  return fitting.sort((one, other) => one.split(':').length - other.split(':').length)[0]
}
