import { sql } from 'kysely'
import { type profiles, savePrivacy } from '../../accounts/account/privacy'
import { preparedSql } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { table } from '../../pages/table'
import { decisions } from '../../social/follow-requests'
import { findOther } from '../../social/user-lookup'
import { oneOf } from '../../values/text'
import { checkbox, radios } from '../../web/fields'
import { setFlash } from '../../web/flash'
import { defineAction, defineForm, formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { member, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'

const path = '/settings/privacy'

/** `public` comes with pages that visitors see. */
const offered = oneOf(['members', 'private'], (t) => t.form.notOffered)

const form = defineForm({
  path,
  access: member,
  fields: {
    profile: {
      ...radios({
        label: (t) => t.privacy.profile,
        options: {
          members: { label: (t) => t.privacy.profiles.members, hint: (t) => t.privacy.membersHint },
          private: { label: (t) => t.privacy.profiles.private, hint: (t) => t.privacy.privateHint },
        },
      }),
      // What is not sent must not open a private profile.
      read: (text: string) => offered.read(text),
    },
    private_by_default: checkbox({
      label: (t) => t.privacy.byDefault,
      hint: (t) => t.privacy.byDefaultHint,
    }),
  },
  button: (t) => t.common.save,
  initial: async (visit) => {
    const { privacy, private_by_default } = await standing(visit)
    return { profile: privacy, private_by_default: private_by_default === 1 ? '1' : '' }
  },
  show: async (visit, fields) => {
    const { t } = visit
    const title = t.privacy.title
    return {
      title,
      main: html`<h1>${title}</h1>
        <p class="note">${icon('eye')}<span class="text">${effect(visit, await standing(visit))}</span></p>
        ${fields}
        ${await requests(visit)}`,
    }
  },
  submit: async (visit, { profile: privacy, private_by_default }) => {
    const change = { privacy, private_by_default: Number(private_by_default) }
    await savePrivacy(visit.deps, visit.session.userId, change)
    setFlash(visit, 'saved')
    return seeOther(visit, path)
  },
})

/** Both answers of `/v1/me/follow_requests` (D76). A second press finds nothing to do. */
const answers = (['accept', 'decline'] as const).map((decision) =>
  defineAction({
    path: `${path}/${decision}`,
    access: member,
    run: async (visit, sent) => {
      const { deps, session } = visit
      const username = formText(sent, 'username')
      await deps.write(async (tx) => {
        const other = await findOther(tx, username)
        if (other === undefined) throw pageNotFound()
        await decisions[decision](tx, { user: session.userId, other: other.id, now: deps.now() })
      })
      return seeOther(visit, path)
    },
  }),
)

export const privacyRoutes: readonly PageRoute[] = [...form, ...answers]

interface Standing {
  readonly privacy: (typeof profiles)[number]
  readonly private_by_default: number
  /** Those that are not marked private. */
  readonly records: number
  readonly followers: number
  readonly requests: number
}

async function standing({ deps, session }: MemberVisit): Promise<Standing> {
  const [own] = await standingOf(deps.seen, { user: session.userId })
  if (own === undefined) throw pageNotFound()
  return own
}

/** Uses follows_followed and follow_requests_followed. */
const standingOf = preparedSql<Standing, { user: number }>(
  (slot) => sql`
    select privacy, private_by_default, records_count as records,
      (select count(*) from follows where followed_id = ${slot('user')}) as followers,
      (select count(*) from follow_requests where followed_id = ${slot('user')} and declined_at is null) as requests
    from users where id = ${slot('user')} limit 1`,
)

/** Whom the other choice affects. */
function effect({ t }: MemberVisit, { privacy, records, followers, requests: asking }: Standing): string {
  if (privacy === 'private') return t.privacy.ifMembers(records, asking)
  const first = privacy === 'public' ? [t.privacy.isPublic] : []
  return t.common.sentences([...first, t.privacy.ifPrivate(records, followers)])
}

interface AskingUser {
  readonly username: string
  readonly name: string
}

/** At most as many as may wait. Who is muted or disabled is named on no page; their requests go on waiting. */
const askingOf = preparedSql<AskingUser, { user: number }>(
  (slot) => sql`
    select username, name from follow_requests join users on users.id = follower_id
    where followed_id = ${slot('user')} and declined_at is null and disabled_at is null
      and not exists (select 1 from mutes where user_id = ${slot('user')} and muted_id = follower_id)
    order by follow_requests.id limit 200`,
)

async function requests(visit: MemberVisit): Promise<Markup | ''> {
  const { deps, session, t, basePath } = visit
  const asking = await askingOf(deps.seen, { user: session.userId })
  if (asking.length === 0) return ''
  const rows = table(asking, [
    [
      t.common.name,
      (user) =>
        html`<a href="${basePath}/@${user.username}">${user.name}</a> <span class="meta">@${user.username}</span>`,
    ],
    ['', (user) => answerForm(visit, user, 'accept')],
    ['', (user) => answerForm(visit, user, 'decline')],
  ])
  return html`<section><h2>${t.privacy.requests}</h2><p>${t.privacy.requestsHint}</p>${rows}</section>`
}

function answerForm(visit: MemberVisit, { username }: AskingUser, decision: 'accept' | 'decline'): Markup {
  const label = visit.t.privacy[decision]
  return html`<form method="post" action="${visit.basePath}${path}/${decision}" data-act="request_${decision}">
    ${csrfInput(visit)}<input type="hidden" name="username" value="${username}" />
    <button class="small" aria-label="${label}${visit.t.common.colon}@${username}">${label}</button></form>`
}
