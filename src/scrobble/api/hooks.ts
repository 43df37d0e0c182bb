import Type from 'typebox'
import { defineCommand, withApiErrors } from '../../api/command'
import { envelope, nullable, pageOf, pagingFields, pagingParams } from '../../api/paging'
import { flagParam, idParam, momentParam, wordParam } from '../../api/param-kinds'
import { clearable, param, required } from '../../api/params'
import { boolean, dateTime, integer, text, word } from '../../api/schema'
import { isoTime } from '../../lib/time'
import { integerUpTo } from '../../values/number'
import { lineUpTo, textUpTo } from '../../values/text'
import { changeHook, createHook, findHook, type Hook, hookDefaults, listHooks, revokeHook } from '../hooks'
import { players } from '../report'
import { undoHook } from '../undo-plays'

const hookSchema = Type.Object({
  id: integer('Hook id', 3),
  player: word(players, 'The player'),
  name: text('Its name', 'Living room'),
  player_user: text('The player’s user whose plays it takes; blank for any', 'mio'),
  heard_user: text('The user who spoke first', 'mio'),
  threshold: integer('Percent of an episode that counts as watched', 80),
  set_status: boolean('Whether a play sets the status'),
  dry_run: boolean('Whether it only tells what it would record'),
  activity: boolean('Whether its plays are activities'),
  created_at: dateTime('When it was created'),
  last_used_at: nullable(dateTime('When the player last spoke; null for never')),
  revoked_at: nullable(dateTime('When it was revoked')),
})

const shownHook = (hook: Hook) => ({
  ...{ id: hook.id, player: hook.player, name: hook.name, player_user: hook.playerUser },
  ...{ heard_user: hook.heardUser, threshold: hook.threshold, set_status: hook.setStatus },
  ...{ dry_run: hook.dryRun, activity: hook.activity, created_at: isoTime(hook.createdAt) },
  last_used_at: hook.lastUsedAt === null ? null : isoTime(hook.lastUsedAt),
  revoked_at: hook.revokedAt === null ? null : isoTime(hook.revokedAt),
})

const id = required(idParam('The hook', 3))

const options = {
  name: param(lineUpTo(100), 'Its name; that of the player by default', 'Living room'),
  player_user: clearable(
    param(
      textUpTo(200, (t) => t.values.atMost(200)),
      'Only plays of this user of the player',
      'mio',
    ),
  ),
  threshold: param(integerUpTo(100), 'Percent of an episode that counts as watched', 80),
  set_status: flagParam('Whether a play sets the status'),
  dry_run: flagParam('Whether to only tell what would be recorded'),
  activity: flagParam('Whether its plays are activities'),
}

interface SentOptions {
  readonly name?: string | undefined
  readonly player_user?: string | null | undefined
  readonly threshold?: number | undefined
  readonly set_status?: boolean | undefined
  readonly dry_run?: boolean | undefined
  readonly activity?: boolean | undefined
}

const optionsOf = (sent: SentOptions) => ({
  ...(sent.name !== undefined && { name: sent.name }),
  ...(sent.player_user !== undefined && { playerUser: sent.player_user ?? '' }),
  ...(sent.threshold !== undefined && { threshold: sent.threshold }),
  ...(sent.set_status !== undefined && { setStatus: sent.set_status }),
  ...(sent.dry_run !== undefined && { dryRun: sent.dry_run }),
  ...(sent.activity !== undefined && { activity: sent.activity }),
})

export const myHooks = defineCommand({
  method: 'GET',
  path: '/v1/me/hooks',
  tag: 'Scrobbling',
  summary: 'Extension: the caller’s addresses for players, oldest first',
  params: pagingParams,
  answers: () => envelope('hooks', hookSchema),
  items: 'hooks',
  run: async (query, { deps, viewer }) => {
    const page = pageOf(query)
    const hooks = await listHooks(deps.read, viewer.userId)
    const from = (page.page - 1) * page.perPage
    return {
      hooks: hooks.slice(from, from + page.perPage).map(shownHook),
      ...pagingFields(page, hooks.length),
    }
  },
})

export const addHook = defineCommand({
  method: 'POST',
  path: '/v1/me/hooks',
  tag: 'Scrobbling',
  summary: 'Extension: creates an address to which a player reports what was watched',
  description: 'It allows nothing else, and is shown only here.',
  params: { player: required(wordParam(players, 'The player')), ...options },
  answers: () =>
    Type.Object({
      id: integer('Hook id', 3),
      url: text('The address', 'https://kiroku.example/hooks/jellyfin/kir_hk_…'),
    }),
  run: async ({ player, ...sent }, { deps, viewer }) => {
    const hook = { ...hookDefaults, name: player, ...optionsOf(sent), player }
    const made = await withApiErrors(() =>
      createHook({ ...deps, baseUrl: deps.config.baseUrl }, viewer.userId, hook),
    )
    return { id: made.id, url: made.url }
  },
})

export const updateHook = defineCommand({
  method: 'PATCH',
  path: '/v1/me/hooks/:id',
  tag: 'Scrobbling',
  summary: 'Extension: changes an address of the caller',
  params: { id, ...options },
  answers: () => hookSchema,
  errors: ['not_found'],
  run: async ({ id: hookId, ...sent }, { deps, viewer }) => {
    await withApiErrors(() => changeHook(deps, viewer.userId, hookId, optionsOf(sent)))
    return shownHook(await findHook(deps.warmRead(), viewer.userId, hookId))
  },
})

export const deleteHook = defineCommand({
  method: 'DELETE',
  path: '/v1/me/hooks/:id',
  tag: 'Scrobbling',
  summary: 'Extension: revokes an address of the caller',
  description: 'What was reported to it stays.',
  params: { id },
  errors: ['not_found'],
  run: async ({ id: hookId }, { deps, viewer }) => {
    await revokeHook(deps, viewer.userId, hookId)
    return null
  },
})

const day = 86_400_000

export const undoPlays = defineCommand({
  method: 'POST',
  path: '/v1/me/hooks/:id/undo',
  tag: 'Scrobbling',
  summary: 'Extension: takes back what was recorded through an address',
  description: 'Records, statuses and lists, as far as nothing was changed since.',
  params: { id, since: momentParam('Takes back what came since then; 24 hours ago by default') },
  answers: () =>
    Type.Object({
      undone: integer('How many acts were taken back', 12),
      left: integer('How many could not be taken back, because what they changed has been changed since', 0),
    }),
  errors: ['not_found'],
  run: async ({ id: hookId, since }, { deps, viewer }) => {
    await findHook(deps.read, viewer.userId, hookId)
    const { undone, left } = await undoHook(deps, viewer.userId, { hookId, since: since ?? deps.now() - day })
    return { undone, left }
  },
})
