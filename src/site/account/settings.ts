import type { profiles } from '../../accounts/account/privacy'
import { listPasskeys } from '../../accounts/passkeys/passkeys'
import { listIdentities } from '../../accounts/provider/identity'
import { factorStanding } from '../../accounts/sign-in/second-factor'
import { listSessions } from '../../accounts/sign-in/session'
import { listTokens } from '../../accounts/token'
import { listGrantedApplications } from '../../oauth/clients/granted-applications'
import { listOwnApplications } from '../../oauth/clients/owned-applications'
import { choiceList } from '../../pages/choices'
import { html, type Markup } from '../../pages/html'
import { countWaiting } from '../../scrobble/inbox'
import { buttonForm } from '../../web/form-markup'
import { definePage, member } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { countChosenChannels } from './channels'
import { preferenceValues } from './language-and-time'

export const settings = definePage({
  path: '/settings',
  access: member,
  show: async (visit) => {
    const { t, basePath } = visit
    const title = t.settings.title
    return {
      title,
      place: 'me',
      main: html`
        <div class="head"><h1>${title}</h1>${buttonForm(visit, '/sign_out', t.signIn.signOut, 'small')}</div>
        <div class="choices-columns">
          ${await ownChoices(visit)}
          ${lookChoices(visit)}
          ${await accessChoices(visit)}
        </div>
        <p class="meta">${t.settings.leave} <a href="${basePath}/settings/delete_account">${t.deleteAccount.title}</a></p>`,
    }
  },
})

async function ownChoices(visit: MemberVisit): Promise<Markup> {
  const { deps, session, t, preferences } = visit
  const chosen = await countChosenChannels(deps.read, session.userId)
  const waiting = await countWaiting(deps, session.userId)
  const { email, privacy } = await deps.read
    .selectFrom('users')
    .select(['email', 'privacy'])
    .where('id', '=', session.userId)
    .$narrowType<{ privacy: (typeof profiles)[number] }>()
    .executeTakeFirstOrThrow()
  return html`${choiceList(visit, t.settings.you, [
    { path: '/settings/profile', name: t.profile.title, value: session.username },
    { path: '/settings/avatar', name: t.pictures.avatarTitle },
    { path: '/settings/email', name: t.account.email, value: email },
    { path: '/settings/privacy', name: t.privacy.title, value: t.privacy.profiles[privacy] },
    {
      path: '/settings/channels',
      name: t.channels.title,
      value: chosen === 0 ? t.common.all : chosen.toLocaleString(t.language.locale),
    },
    {
      path: '/settings/display#guards_spoilers',
      name: t.preferences.guardsSpoilers,
      value: preferences.guardsSpoilers ? t.common.on : t.common.off,
    },
  ])}
  ${choiceList(visit, t.settings.data, [
    {
      path: '/settings/scrobbling',
      name: t.scrobbling.title,
      ...(waiting > 0 && { value: t.scrobbling.toPlace(waiting) }),
    },
    { path: '/settings/import', name: t.listImports.title },
    { path: '/settings/history', name: t.history.title },
    { path: '/settings/calendar', name: t.feeds.title },
    { path: '/settings/notifications', name: t.destinations.title },
    { path: '/settings/export', name: t.exports.title },
    { path: '/settings/phone', name: t.phone.title },
  ])}`
}

function lookChoices(visit: MemberVisit): Markup {
  const { t } = visit
  const values = preferenceValues(visit)
  const time = [values.timeZone, values.weekStart, values.longNights].join(' · ')
  const [times, display] = ['/settings/language_and_time', '/settings/display']
  return choiceList(visit, t.preferences.look, [
    { path: `${times}#language`, name: t.language.title, value: t.language.name },
    { path: `${times}#title_language`, name: t.preferences.titles, value: values.titles },
    { path: `${times}#time_zone`, name: t.preferences.timeAndWeek, value: time },
    { path: `${times}#rating_display`, name: t.preferences.ratings, value: values.ratings },
    { path: `${display}#theme`, name: t.preferences.theme, value: values.theme },
    { path: `${display}#has_keys`, name: t.keys.title, value: values.keys },
  ])
}

async function accessChoices(visit: MemberVisit): Promise<Markup> {
  const { deps, session, t } = visit
  const { userId } = session
  const [factor, sessions, granted, tokens, own, identities, passkeys] = await Promise.all([
    factorStanding(deps.read, userId),
    listSessions(deps, userId),
    listGrantedApplications(deps.read, userId, deps.now()),
    listTokens(deps.read, userId),
    listOwnApplications(deps.read, userId, deps.now()),
    listIdentities(deps.read, userId),
    listPasskeys(deps.read, userId),
  ])
  const count = ({ length }: { readonly length: number }) =>
    length === 0 ? t.preferences.none : length.toLocaleString(t.language.locale)
  return html`${choiceList(visit, t.settings.signIn, [
    { path: '/settings/password', name: t.account.password },
    { path: '/settings/passkeys', name: t.passkeys.title, value: count(passkeys) },
    {
      path: '/settings/two_step',
      name: t.twoStep.title,
      value: factor.on ? t.common.on : t.common.off,
    },
    { path: '/settings/sessions', name: t.sessions.title, value: count(sessions) },
    { path: '/settings/sign_ins', name: t.signIns.title },
    ...(deps.config.providers.length === 0
      ? []
      : [{ path: '/settings/providers', name: t.providers.title, value: count(identities) }]),
    { path: '/settings/applications', name: t.connected.title, value: count(granted) },
    { path: '/settings/tokens', name: t.tokens.title, value: count(tokens) },
    { path: '/oauth/applications', name: t.applications.title, value: count(own) },
  ])}`
}
