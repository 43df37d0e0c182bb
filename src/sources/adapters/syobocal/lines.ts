import { Credits } from '../../credits'
import type { Known } from '../../known'
import { type CatalogueLine, headerOf } from '../../source'
import type { Channel, ChannelGroup, SyobocalAnswer, SyobocalProgram, SyobocalTitle } from './answers'
import { again, episodeKey, mediaOf, numbersOf, titleLines } from './work-lines'

/** Channels first, then works with their episodes and credits, then broadcasts. */
export function* linesOf(answers: readonly SyobocalAnswer[], known: Known): Generator<CatalogueLine> {
  const { titles, programs, channels, groups } = sorted(answers)
  // Channels that Annict has too get Annict's numbers (D3).
  yield headerOf('syobocal', ['annict'])
  yield* groups.map(groupLine)
  const groupIds = new Set(groups.map(({ gid }) => gid))
  for (const channel of channels ?? []) yield channelLine(channel, groupIds)
  const channelIds = channels && new Set(channels.map(({ chid }) => chid))
  const heard = programs.filter(({ chid, isDeleted }) => isDeleted || channelIds?.has(chid) !== false)
  const credits = new Credits(known, 'syobocal')
  const byTitle = Map.groupBy(heard, ({ tid }) => tid)
  const taken = takenIds(new Set([...titles.keys(), ...byTitle.keys()]), titles, known)
  for (const tid of taken) yield* titleLines(tid, titles.get(tid), byTitle.get(tid) ?? [], { known, credits })
  yield* heard.filter(({ tid }) => taken.has(tid)).map(programLine)
}

function sorted(answers: readonly SyobocalAnswer[]) {
  const titles = new Map<number, SyobocalTitle>()
  const programs = new Map<number, SyobocalProgram>()
  const groups = new Map<number, ChannelGroup>()
  let channels: Map<number, Channel> | undefined
  for (const answer of answers) {
    if (answer.as === 'TitleLookup')
      for (const title of answer.titles) if (title.tid > 0) titles.set(title.tid, title)
    // Consecutive time ranges both contain the programs that run across their border.
    if (answer.as === 'ProgLookup')
      for (const program of answer.programs)
        if (program.pid > 0 && program.chid > 0) programs.set(program.pid, program)
    if (answer.as === 'ChGroupLookup')
      for (const group of answer.groups) if (group.gid > 0 && group.name !== '') groups.set(group.gid, group)
    if (answer.as === 'ChLookup')
      channels = new Map(
        answer.channels
          .filter(({ chid, name }) => chid > 0 && name !== '')
          .map((channel) => [channel.chid, channel]),
      )
  }
  return {
    titles,
    programs: [...programs.values()],
    channels: channels && [...channels.values()],
    groups: [...groups.values()],
  }
}

/** New works in the categories we use, and works in the catalogue; without those that share an id with others here. */
function takenIds(
  ids: ReadonlySet<number>,
  titles: ReadonlyMap<number, SyobocalTitle>,
  known: Known,
): Set<number> {
  const shared = new Set(known.workIds('syobocal'))
  const isTaken = (tid: number) => {
    if (known.work('syobocal', String(tid)) !== undefined) return true
    const title = titles.get(tid)
    return title !== undefined && title.title !== '' && title.category in mediaOf && !shared.has(String(tid))
  }
  return new Set([...ids].filter(isTaken))
}

const groupLine = ({ gid, name, order }: ChannelGroup): CatalogueLine => ({
  type: 'channel_group',
  key: `syobocal:${gid}`,
  ids: { syobocal: gid },
  name,
  sort_number: order,
})

function channelLine({ chid, name, gid }: Channel, groups: ReadonlySet<number>): CatalogueLine {
  const annict = annictChannels.get(chid)
  return {
    type: 'channel',
    key: `syobocal:${chid}`,
    ids: { ...(annict !== undefined && { annict }), syobocal: chid },
    name,
    ...(gid !== undefined && groups.has(gid) && { group: `syobocal:${gid}` }),
  }
}

function numbers(): Map<number, number> {
  const pairs = other.split(' ').map((pair) => pair.split(':').map(Number))
  const equal = same.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, n) => [first + n, first + n])
  })
  return new Map([...equal, ...pairs].map(([chid = 0, id = 0]) => [chid, id]))
}

/** ChIDs that are also Annict's numbers. */
const same =
  '1-10 12-26 28 31-34 39-40 42-45 47-48 52 54-56 58-68 70-72 74 76-77 79-84 86-100 102-105 107 109 ' +
  '111-117 119 121 123-129 131 136-138 141-142 144-155 158-161 163-165 206-209 211-217'

/** `ChID:number` if they differ. */
const other =
  '167:169 168:170 169:171 170:172 171:173 172:174 173:175 174:168 175:176 176:177 178:179 179:180 ' +
  '181:182 187:188 192:193 194:195 196:197 197:167 198:199 199:200 200:201 201:202 202:203 203:204 ' +
  '204:205 219:220 220:221 221:222 222:223 224:229 231:238 232:239 234:241 235:242 236:245 237:246 ' +
  '239:249 240:250 241:251 242:252 243:253 244:254 245:255 247:257 249:259 999:260'

/** Annict's number of a channel by its ChID, for the 184 channels known to both. */
const annictChannels: ReadonlyMap<number, number> = numbers()

function programLine(program: SyobocalProgram): CatalogueLine {
  const { pid, tid, chid, startedAt, flag, isDeleted } = program
  const key = `syobocal:${pid}`
  if (isDeleted) return { type: 'program', key, deleted: true }
  const [episode] = numbersOf(program)
  return {
    type: 'program',
    key,
    ids: { syobocal: pid },
    channel: `syobocal:${chid}`,
    work: `syobocal:${tid}`,
    ...(episode !== undefined && { episode: episodeKey(tid, episode) }),
    started_at: `${new Date(startedAt).toISOString().slice(0, 19)}Z`,
    rebroadcast: (flag & again) !== 0,
  }
}

/** About programs of several episodes, of which a line names only the first. */
export function* notesOf(answers: readonly SyobocalAnswer[]): Generator<string> {
  for (const { pid, tid, ...program } of sorted(answers).programs) {
    const numbers = numbersOf({ pid, tid, ...program })
    if (numbers.length > 1)
      yield `program ${pid} of title ${tid} is of the episodes ${numbers.join(', ')}: it is listed with the first`
  }
}
