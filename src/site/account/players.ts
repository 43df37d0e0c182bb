import { html, type Markup } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import {
  changeHook,
  createHook,
  findHook,
  type Hook,
  hookDefaults,
  hookName,
  revokeHook,
} from '../../scrobble/hooks'
import { tautulliTemplate } from '../../scrobble/players/plex'
import type { Player } from '../../scrobble/report'
import { undoHook } from '../../scrobble/undo-plays'
import { valid } from '../../values/field-problem'
import { integerUpTo, wholeNumber } from '../../values/number'
import { readIfValid } from '../../values/value'
import { checkbox, choice, textField } from '../../web/fields'
import { setFlash } from '../../web/flash'
import { defineAction, defineForm, formText } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { below, member, type PageRoute, seeOther } from '../../web/page'
import { type MemberVisit, pathId } from '../../web/visit'
import { confirmation, dangerLink, dangerZone } from '../confirmation'
import { secretToCopy, shownOnce } from '../shown-once'

const path = '/settings/scrobbling'

/** Addresses to which players report what was watched; `src/viewing/scrobbling` shows what they said. */
export const playerForms: readonly PageRoute[] = below(
  { path, name: (t) => t.scrobbling.title, place: 'me' },
  [
    ...defineForm({
      path: `${path}/add`,
      access: member,
      act: 'hook_create',
      fields: {
        player: choice({
          label: (t) => t.scrobbling.player,
          options: {
            jellyfin: (t) => t.scrobbling.players.jellyfin,
            plex: (t) => t.scrobbling.players.plex,
            emby: (t) => t.scrobbling.players.emby,
            kodi: (t) => t.scrobbling.players.kodi,
            tautulli: (t) => t.scrobbling.players.tautulli,
            trakt: (t) => t.scrobbling.players.trakt,
            generic: (t) => t.scrobbling.players.generic,
          },
        }),
        name: textField({
          label: (t) => t.scrobbling.name,
          hint: (t) => t.scrobbling.nameHint,
          value: hookName,
          optional: true,
        }),
      },
      button: (t) => t.scrobbling.make,
      once: true,
      show: ({ t, basePath }, form) => ({
        title: t.scrobbling.add,
        main: html`<h1>${t.scrobbling.add}</h1><p>${t.scrobbling.explained}</p>${form}
          <p class="soft">${t.scrobbling.notSent} <a href="${basePath}/settings/import">${t.scrobbling.toImport}</a></p>`,
      }),
      submit: async (visit, { player, name }) => {
        const { deps, session } = visit
        const hook = { ...hookDefaults, player, name: name || visit.t.scrobbling.players[player] }
        const { url } = await createHook({ ...deps, baseUrl: deps.config.baseUrl }, session.userId, hook)
        return addressPage(visit, player, url)
      },
    }),
    ...defineForm({
      path: `${path}/players/:id`,
      access: member,
      fields: {
        name: textField({ label: (t) => t.scrobbling.name, value: hookName }),
        player_user: textField({
          label: (t) => t.scrobbling.playerUser,
          hint: (t) => t.scrobbling.playerUserHint,
          limit: 200,
          optional: true,
        }),
        threshold: textField({
          label: (t) => t.scrobbling.threshold,
          hint: (t) => t.scrobbling.thresholdHint,
          value: integerUpTo(100),
        }),
        set_status: checkbox({ label: (t) => t.scrobbling.setStatus }),
        dry_run: checkbox({ label: (t) => t.scrobbling.dryRun }),
        activity: checkbox({ label: (t) => t.scrobbling.activity }),
      },
      button: (t) => t.common.save,
      initial: async (visit) => textsOf(await ownHook(visit)),
      show: async (visit, form) => hookPage(visit, await ownHook(visit), form),
      submit: async (visit, { name, player_user, threshold, set_status, dry_run, activity }) => {
        await changeHook(visit.deps, visit.session.userId, pathId(visit), {
          ...{ name, playerUser: player_user, threshold: valid('threshold', integerUpTo(100), threshold) },
          ...{ setStatus: set_status, dryRun: dry_run, activity },
        })
        setFlash(visit, 'saved')
        return seeOther(visit, path)
      },
    }),
    defineAction({
      path: `${path}/players/:id/undo`,
      access: member,
      run: async (visit, sent) => {
        const { deps, session } = visit
        const { id: hookId } = await ownHook(visit)
        const hours = readIfValid(wholeNumber(1, 720), formText(sent, 'hours')) ?? 24
        const since = deps.now() - hours * 3_600_000
        const { undone, left } = await undoHook(deps, session.userId, { hookId, since })
        if (left > 0) setFlash(visit, 'plays_left', left)
        else setFlash(visit, 'plays_undone', undone)
        return seeOther(visit, path)
      },
    }),
    ...defineForm({
      path: `${path}/players/:id/revoke`,
      access: member,
      act: 'hook_revoke',
      fields: {},
      button: (t) => t.scrobbling.revoke,
      isDestructive: true,
      show: async (visit, form) => {
        const { name } = await ownHook(visit)
        return confirmation(visit, form, {
          title: (t) => t.scrobbling.revokeTitle(name),
          text: (t) => t.scrobbling.revokeExplained,
          back: path,
        })
      },
      submit: async (visit) => {
        await revokeHook(visit.deps, visit.session.userId, pathId(visit))
        return seeOther(visit, path)
      },
    }),
  ],
)

const ownHook = (visit: MemberVisit): Promise<Hook> =>
  findHook(visit.deps.read, visit.session.userId, pathId(visit))

const textsOf = ({ name, playerUser, threshold, setStatus, dryRun, activity }: Hook) => ({
  ...{ name, player_user: playerUser, threshold: String(threshold) },
  ...{ set_status: flag(setStatus), dry_run: flag(dryRun), activity: flag(activity) },
})

const flag = (isOn: boolean) => (isOn ? '1' : '')

function addressPage(visit: MemberVisit, player: Player, url: string): PageContent {
  const { t, basePath } = visit
  return shownOnce(
    t.scrobbling.madeTitle,
    html`${secretToCopy(t.scrobbling.copyNow, 'hook_url', url)}
      <p><button class="small" data-copy="hook_url" hidden>${t.common.copy}</button></p>
      <p>${t.scrobbling.whoeverHasIt}</p>${stepsOf(visit, player)}`,
    html`<a href="${basePath}${path}">${t.scrobbling.back}</a>`,
  )
}

function stepsOf({ t }: MemberVisit, player: Player): Markup {
  const steps = t.scrobbling.steps[player]
  return html`<h2>${t.scrobbling.next}</h2><ol>${steps.map((step) => html`<li>${step}</li>`)}</ol>
    ${player === 'tautulli' ? pasted(t.scrobbling.template, tautulliTemplate) : ''}
    ${player === 'generic' ? pasted(t.scrobbling.example, exampleReport) : ''}`
}

const pasted = (name: string, text: string): Markup =>
  html`<p>${name}</p><pre class="pasted" tabindex="0"><code>${text}</code></pre>`

const exampleReport = '{"title": "SPY×FAMILY", "season": 2, "episode": 3, "air_date": "2023-10-21"}'

function hookPage(visit: MemberVisit, hook: Hook, form: Markup): PageContent {
  const { t } = visit
  const { id, name, player, heardUser, revokedAt } = hook
  const heard =
    heardUser === '' || hook.playerUser !== ''
      ? ''
      : html`<p class="soft">${t.scrobbling.heard(heardUser)}</p>`
  const isRevoked = revokedAt !== null
  const end = isRevoked
    ? ''
    : dangerZone(
        t.scrobbling.revoke,
        html`<p>${t.scrobbling.revokeExplained}</p><p>${dangerLink(visit, `${path}/players/${id}/revoke`, t.scrobbling.revoke, name)}</p>`,
      )
  const main = html`<h1>${name}</h1><p class="meta">${t.scrobbling.players[player]}</p>
    ${isRevoked ? html`<p class="notice">${t.scrobbling.wasRevoked}</p>` : html`${heard}${form}<details class="fold-line"><summary>${t.scrobbling.next}</summary>${stepsOf(visit, player)}</details>`}
    ${undoSection(visit, id)}${end}`
  return { title: name, main }
}

function undoSection(visit: MemberVisit, id: number): Markup {
  const { t, basePath } = visit
  const option = (hours: number) =>
    html`<option value="${hours}"${hours === 24 ? html` selected` : ''}>${t.scrobbling.hours(hours)}</option>`
  return html`<section id="undo"><h2>${t.scrobbling.undoTitle}</h2><p class="soft">${t.scrobbling.undoExplained}</p>
    <form method="post" action="${basePath}${path}/players/${id}/undo" data-act="hook_undo" data-confirm="${t.scrobbling.undoQuestion}">${csrfInput(visit)}
      <div class="field"><label for="hours">${t.scrobbling.undoSince}</label><select id="hours" name="hours">${[1, 3, 6, 12, 24, 72, 168, 720].map(option)}</select></div>
      <button>${t.scrobbling.undoButton}</button></form></section>`
}
