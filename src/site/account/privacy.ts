import { sql } from 'kysely'
import { commenters, profiles, savePrivacy } from '../../accounts/account/privacy'
import { preparedSql } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { oneOf } from '../../values/text'
import { orBlank } from '../../values/value'
import { checkbox, radios, segments } from '../../web/fields'
import { setFlash } from '../../web/flash'
import { defineForm } from '../../web/form'
import { member, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import type { MemberVisit } from '../../web/visit'
import { followRequests, leftOutPeople, privacyPath, requestAnswers } from './privacy-people'

const offered = oneOf(profiles, (t) => t.form.notOffered)
/** What is not sent stays as it is. */
const offeredCommenters = orBlank(
  oneOf(commenters, (t) => t.form.notOffered),
  undefined,
)

const form = defineForm({
  path: privacyPath,
  access: member,
  fields: {
    profile: {
      ...radios({
        label: (t) => t.privacy.profile,
        options: {
          public: { label: (t) => t.privacy.profiles.public, hint: (t) => t.privacy.publicHint },
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
    comments_from: {
      ...segments({
        label: (t) => t.privacy.commentsFrom,
        options: {
          everyone: (t) => t.privacy.commenters.everyone,
          following: (t) => t.privacy.commenters.following,
          nobody: (t) => t.privacy.commenters.nobody,
        },
      }),
      read: (text: string) => offeredCommenters.read(text),
    },
    listed: checkbox({ label: (t) => t.privacy.listed, hint: (t) => t.privacy.listedHint }),
    indexable: checkbox({ label: (t) => t.privacy.indexable, hint: (t) => t.privacy.indexableHint }),
  },
  button: (t) => t.common.save,
  initial: async (visit) => {
    const { privacy, comments_from, ...flags } = await standing(visit)
    const box = (flag: 'private_by_default' | 'listed' | 'indexable') => (flags[flag] === 1 ? '1' : '')
    return {
      profile: privacy,
      private_by_default: box('private_by_default'),
      comments_from,
      listed: box('listed'),
      indexable: box('indexable'),
    }
  },
  show: async (visit, fields) => {
    const { t } = visit
    const title = t.privacy.title
    return {
      title,
      main: html`<h1>${title}</h1>
        <p class="note">${icon('eye')}<span class="text">${effect(visit, await standing(visit))}</span></p>
        ${fields}
        ${await nowPicture(visit)}
        ${await followRequests(visit)}${await leftOutPeople(visit)}`,
    }
  },
  submit: async (visit, { profile: privacy, private_by_default, comments_from, listed, indexable }) => {
    const change = {
      ...{ privacy, private_by_default: Number(private_by_default), comments_from },
      ...{ listed: Number(listed), indexable: Number(indexable) },
    }
    await savePrivacy(visit.deps, visit.session.userId, change)
    setFlash(visit, 'saved')
    return seeOther(visit, privacyPath)
  },
})

export const privacyRoutes: readonly PageRoute[] = [...form, ...requestAnswers]

/** What to paste for `/@mio/now.svg`, which only a public profile has. */
async function nowPicture(visit: MemberVisit): Promise<Markup | ''> {
  const { t, deps, session } = visit
  const { privacy } = await standing(visit)
  if (privacy !== 'public' || !deps.config.publicCatalogue) return ''
  const page = `${deps.config.baseUrl}/@${session.username}`
  const code = `<a href="${page}"><img src="${page}/now.svg" alt="${t.now.title(session.username)}"></a>`
  return html`<p>${t.now.paste}</p><p><code>${code}</code></p>`
}

interface Standing {
  readonly privacy: (typeof profiles)[number]
  readonly private_by_default: number
  readonly comments_from: (typeof commenters)[number]
  readonly listed: number
  readonly indexable: number
  /** Those that are not marked private. */
  readonly records: number
  readonly followers: number
  /** Of those who are named on the page. */
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
    select privacy, private_by_default, comments_from, listed, indexable, records_count as records,
      (select count(*) from follows where followed_id = ${slot('user')}) as followers,
      (select count(*) from follow_requests join users as asking on asking.id = follower_id
        where followed_id = ${slot('user')} and declined_at is null and asking.disabled_at is null
          and not exists (select 1 from mutes where user_id = ${slot('user')} and muted_id = follower_id)) as requests
    from users where id = ${slot('user')} limit 1`,
)

/** Whom the other choices affect. */
function effect(
  { t, deps }: MemberVisit,
  { privacy, records, followers, requests: asking }: Standing,
): string {
  const isPrivate = privacy === 'private'
  const others = [
    ...(privacy === 'public' || !deps.config.publicCatalogue ? [] : [t.privacy.ifPublic]),
    ...(privacy === 'members'
      ? []
      : [isPrivate ? t.privacy.ifMembers(records, asking) : t.privacy.ifMembersOnly]),
    ...(isPrivate ? [] : [t.privacy.ifPrivate(records, followers)]),
  ]
  return t.common.sentences(others)
}
