import { join } from 'node:path'
import { createInvitation } from '../../src/accounts/account/invitation'
import { createFeed } from '../../src/accounts/calendar-feeds'
import { createLink } from '../../src/accounts/sign-in/one-time-link'
import { createToken } from '../../src/accounts/token'
import { routes } from '../../src/app'
import { createSecret, hashSecret } from '../../src/lib/secret'
import { recordEpisode } from '../../src/library/acts/record-acts'
import { logViewing } from '../../src/library/acts/viewing-acts'
import { deliver } from '../../src/scrobble/deliver'
import { createHook, findHook, hookDefaults, sourceOfHook } from '../../src/scrobble/hooks'
import { readReport } from '../../src/scrobble/players/read-report'
import type { RunReport } from '../../src/sources/run/report'
import { listsOf } from '../../src/transfer/batch/lists-of'
import type { Instance } from './instance'
import { listSamples } from './list-samples'
import { perform } from './member-rows'
import { authorizeUrl, registerClient } from './oauth'
import { catalogueChange, joinRequest, meetingOf, openReport, suggestion } from './sample-rows'

/** Responses for programs, which are not pages. */
const programs = [
  '/livez',
  '/readyz',
  '/robots.txt',
  '/manifest.webmanifest',
  '/sw.js',
  '/assets/speculation-1.json',
  '/outbox',
  '/oauth/token/info',
  '/covers/:file',
  '/@:username/:period/share.svg',
  '/@:username/:period/share.png',
  '/@:username/now.svg',
  ...['/feeds/:file', '/feeds/:file/following.atom'],
  '/hooks/*',
  '/settings/import/:id/rest.csv',
  '/sign_in/with/:id',
  '/sign_in/with/:id/back',
  '/.well-known/oauth-authorization-server',
  '/.well-known/passkey-endpoints',
]

/** Of every page, with parameters: `pageSamples` has addresses of those. */
export const pagePaths: readonly string[] = routes
  .filter(({ method, path }) => method === 'GET' && !programs.includes(path))
  .map(({ path }) => path)

/** Addresses of pages with path parameters, or that show more with a query, for `azusa`; registration is open. */
export async function pageSamples(instance: Instance): Promise<Readonly<Record<string, string>>> {
  const { deps } = instance
  const azusa = 4
  const link = (made: Parameters<typeof createLink>[2]) => deps.write((tx) => createLink(tx, deps, made))
  const client = await registerClient(instance)
  const grant = { user_id: azusa, application_id: client.id, scope: 'read', description: '' }
  const granted = { ...grant, token_hash: hashSecret('granted'), created_at: deps.now() - 100_000_000 }
  await deps.write((tx) => tx.insertInto('tokens').values(granted).execute())
  const invited = { createdBy: azusa, uses: 3, expiresIn: undefined, note: '' }
  const invitation = await createInvitation(deps, invited)
  const token = await createToken(deps, { userId: azusa, description: 'shell', scope: 'read' })
  const words = { language: 'en', titleLanguage: 'native', timeZone: 'Asia/Tokyo' } as const
  const said = { userId: azusa, name: 'Phone', wanted: true, alarm: null, withRule: true, ...words }
  const feed = await createFeed(deps, said)
  const hook = await playerOf(instance, azusa)
  perform(instance.store.handle, ['passkey', azusa, 1, 1])
  const { record, viewing } = await watch(instance, azusa)
  const application = `/oauth/applications/${client.id}`
  const run = await sourceRun(instance)
  const meeting = await meetingOf(instance, azusa)
  const preview = `/settings/import/${await importList(instance, azusa)}`
  return {
    '/search': `/search?q=${encodeURIComponent('恋')}`,
    '/@:username': '/@azusa',
    '/@:username/followers': '/@azusa/followers',
    '/@:username/following': '/@azusa/following',
    '/@:username/library': '/@azusa/library',
    '/@:username/library/:status': '/@azusa/library/all',
    ...(await listSamples(instance, azusa)),
    '/@:username/stats': '/@azusa/stats',
    '/@:username/:period': '/@azusa/2026',
    '/@:username/:period/share': '/@azusa/2026/share',
    '/@:username/diary': '/@azusa/diary',
    '/@:username/diary/:year': '/@azusa/diary/2026',
    '/@:username/diary/:year/:month': '/@azusa/diary/2026/4',
    '/sign_in': '/sign_in?return_to=%2Fsettings',
    '/confirm': '/confirm?return_to=%2Fsettings%2Femail',
    '/setup/:link': `/setup/${await link({ purpose: 'setup' })}`,
    '/invitations/:code': `/invitations/${invitation.code}`,
    '/sign_up/:link': `/sign_up/${await link({ purpose: 'sign_up', email: 'new@example.com' })}`,
    '/reset_password/:link': `/reset_password/${await link({ purpose: 'reset', userId: azusa })}`,
    '/sign_in/link/:link': `/sign_in/link/${await link({ purpose: 'sign_in', userId: azusa })}`,
    '/settings/email/:link': `/settings/email/${await link({ purpose: 'email', userId: azusa, email: 'a@example.com' })}`,
    '/settings/passkeys/:id/remove': '/settings/passkeys/1/remove',
    '/settings/tokens/:id/revoke': `/settings/tokens/${token.id}/revoke`,
    '/settings/applications/:id/revoke': `/settings/applications/${client.id}/revoke`,
    '/oauth/applications/:id': application,
    '/oauth/applications/:id/edit': `${application}/edit`,
    '/oauth/applications/:id/rotate': `${application}/rotate`,
    '/oauth/applications/:id/revoke_tokens': `${application}/revoke_tokens`,
    '/oauth/applications/:id/delete': `${application}/delete`,
    '/oauth/authorize': authorizeUrl(client),
    '/settings/import/:id': preview,
    '/works/:id/cover': '/works/1/cover',
    '/works/:id/shared_cover': '/works/1/shared_cover',
    '/record/new': '/record/new?episode=2',
    '/seasons/:season': '/seasons/2021-spring',
    '/works/:id': '/works/1',
    '/works/:id/dates': '/works/1/dates',
    '/calendar/:when': '/calendar/2026-04',
    '/settings/notifications/:id/delete': `/settings/notifications/${await destinationOf(instance, azusa)}/delete`,
    '/unsubscribe/:secret': `/unsubscribe/${await digestOf(instance, azusa)}`,
    '/settings/calendar/:id/renew': `/settings/calendar/${feed.id}/renew`,
    '/settings/calendar/:id/revoke': `/settings/calendar/${feed.id}/revoke`,
    '/settings/scrobbling/players/:id': `/settings/scrobbling/players/${hook}`,
    '/settings/scrobbling/players/:id/revoke': `/settings/scrobbling/players/${hook}/revoke`,
    ...below('/works/:id', '/works/1', 'edit edit/episodes edit/programs history hide slot meeting status'),
    '/works/:id/edit/episodes/:episode': '/works/1/edit/episodes/1',
    '/works/:id/merge': '/works/2/merge?into=1',
    '/works/:id/split': '/works/1/split',
    ...Object.fromEntries(
      ['people', 'organizations', 'characters', 'series'].map((name) => [
        `/catalogue/${name}/:id/merge`,
        `/catalogue/${name}/2/merge?into=1`,
      ]),
    ),
    '/catalogue/changes/:id': `/catalogue/changes/${catalogueChange(instance, azusa)}`,
    '/catalogue/proposals/:id': `/catalogue/proposals/${suggestion(instance, azusa)}`,
    '/meetings/:id': `/meetings/${meeting}`,
    '/meetings/:id/edit': `/meetings/${meeting}/edit`,
    '/meetings/:id/cancel': `/meetings/${meeting}/cancel`,
    '/works/:id/viewing': '/works/3/viewing',
    '/works/:id/:slug': '/works/3/umi',
    '/works/:id/episodes/:number': '/works/1/episodes/2',
    '/records/:id': `/records/${record}`,
    '/reviews/:id': `/reviews/${viewing}`,
    '/records/:id/edit': `/records/${record}/edit`,
    '/viewings/:id/edit': `/viewings/${viewing}/edit`,
    '/admin/catalogue/sources/:name': '/admin/catalogue/sources/annict',
    '/admin/catalogue/sources/:name/token': '/admin/catalogue/sources/annict/token',
    '/admin/catalogue/sources/:name/location': '/admin/catalogue/sources/kiroku/location',
    '/admin/catalogue/sources/:name/disable': '/admin/catalogue/sources/annict/disable',
    '/admin/catalogue/runs/:id': `/admin/catalogue/runs/${run}`,
    '/report': '/report?username=mio',
    '/admin/users/:id': '/admin/users/1',
    '/admin/users/:id/disable': '/admin/users/1/disable',
    '/admin/users/:id/promote': '/admin/users/1/promote',
    '/admin/users/:id/make_editor': '/admin/users/1/make_editor',
    '/admin/users/:id/end_editor': '/admin/users/1/end_editor',
    '/admin/users/:id/demote': '/admin/users/1/demote',
    '/admin/users/:id/reset_password': `/admin/users/${azusa}/reset_password`,
    '/admin/reports/:id/hide': `/admin/reports/${await openReport(instance)}/hide`,
    '/admin/join_requests/:id/decline': `/admin/join_requests/${await joinRequest(instance)}/decline`,
    '/admin/invitations/:id/withdraw': `/admin/invitations/${invitation.id}/withdraw`,
  }
}

/** A record of an episode with a comment, and a viewing of a film. */
async function watch({ deps }: Instance, userId: number): Promise<{ record: number; viewing: number }> {
  await recordEpisode(deps, userId, { episodeId: 2, comment: 'よかった', ratingState: 'great' })
  await logViewing(deps, userId, { workId: 3, ratingState: 'good', body: '海がきれい' })
  const last = (table: 'records' | 'reviews') =>
    deps.read.selectFrom(table).select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  return { record: (await last('records')).id, viewing: (await last('reviews')).id }
}

/** A player that reported an episode, a series that is not known, and one that is left out. */
async function playerOf({ deps }: Instance, userId: number): Promise<number> {
  const made = { ...hookDefaults, name: 'Living room', player: 'generic' } as const
  const { id } = await createHook({ ...deps, baseUrl: '' }, userId, made)
  const source = sourceOfHook(userId, await findHook(deps.warmRead(), userId, id))
  for (const body of [
    { title: '星降る庭', year: 2016, episode: 1 },
    { title: '星降る庭', season: 2, episode: 1, ids: { tmdb: 1 } },
    { title: 'Nobody knows this', season: 1, episode: 3 },
    { title: '', file: '[Group] 恋 - 03.mkv' },
  ])
    await deliver(deps, source, { report: readReport('generic', body, ''), body: null })
  return id
}

/** A run with a report, as the runner stores it. */
async function sourceRun({ deps }: Instance): Promise<number> {
  const counts = { created: 2, updated: 1, unchanged: 40, deleted: 0, merged: 0, unresolved: 1, conflict: 1 }
  const report: RunReport = {
    import: {
      ...{
        source: 'annict',
        mode: 'upsert',
        lines: 45,
        failed: false,
        counts: { work: counts, episode: counts },
      },
      estimated: { episodes: 0, programs: 0 },
      warnings: ['1 line refers to an unknown row'],
      problems: [],
      problemsCount: 0,
    },
    changes: [
      { workId: 1, title: '星降る庭', field: 'title_kana', old: '', new: 'ほしふるにわ', owner: '' },
      { workId: 3, title: '海', field: 'ids.mal', old: '12', new: '13', owner: 'default' },
    ],
    changesCount: 21,
    leftAlone: [{ field: 'work.title', owner: 'admin', count: 3 }],
  }
  const run = { source: 'annict', cause: 'page', is_dry_run: 0, scope: '{}', requests: 3, bytes: 1_234_567 }
  const at = deps.now()
  const ended = { started_at: at - 60_000, ended_at: at, outcome: 'done', report: JSON.stringify(report) }
  const { id } = await deps.write((tx) =>
    tx
      .insertInto('catalogue_runs')
      .values({ ...run, ...ended })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}

/** A preview with rows of several states. */
async function importList({ deps }: Instance, userId: number): Promise<number> {
  const path = join(deps.config.data, 'list.csv')
  const rows = [
    '1,星降る庭,,watching,1',
    ',100%の恋,,watched,',
    ',Nobody knows this,2001,watched,',
    '3,海,,odd,',
  ]
  await Bun.write(path, ['work_id,title,year,status,progress', ...rows].join('\n'))
  const { id } = await listsOf(deps).read(userId, { path, name: 'list.csv' }, {})
  return id
}

/** The secret in somebody's e-mails of the morning. */
async function digestOf({ deps }: Instance, user: number): Promise<string> {
  const digest_secret = createSecret('un', deps.random)
  await deps.write((tx) => tx.updateTable('users').set({ digest_secret }).where('id', '=', user).execute())
  return digest_secret
}

/** A destination that was switched off. */
async function destinationOf({ deps }: Instance, user_id: number): Promise<number> {
  const row = {
    ...{ user_id, kind: 'ntfy', url: 'https://ntfy.example/azusa', host: 'ntfy.example' },
    ...{ events: 'episode,notification', is_on: 0, created_at: deps.now() },
  }
  const made = await deps.write((tx) => tx.insertInto('destinations').values(row).returning('id').execute())
  return made[0]?.id ?? 0
}

const below = (path: string, of: string, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [`${path}/${name}`, `${of}/${name}`]))
