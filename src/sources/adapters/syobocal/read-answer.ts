import { type XmlElement, type XmlFault, xmlElements } from '../../../lib/xml-elements'
import { type AnswerBody, ShapeError } from '../../source'
import {
  type Channel,
  type ChannelGroup,
  type SyobocalAnswer,
  type SyobocalCommand,
  type SyobocalProgram,
  type SyobocalTitle,
  shortened,
} from './answers'
import { instantOf } from './times'

/** Throws a `ShapeError` for another command's answer, and for codes other than 200 and 404, which means no results. */
export async function readAnswer(as: string, body: AnswerBody): Promise<SyobocalAnswer> {
  if (!isCommand(as)) throw new ShapeError(as, 'is no command')
  const items = await itemsOf(as, body)
  switch (as) {
    case 'ProgLookup':
      return { as, programs: items.map(programOf) }
    case 'TitleLookup':
      return { as, titles: items.map(titleOf) }
    case 'TitleIds':
      return { as, ids: items.map((item) => item.number('TID')) }
    case 'ChLookup':
      return { as, channels: items.map(channelOf) }
    case 'ChGroupLookup':
      return { as, groups: items.map(groupOf) }
  }
}

const itemNames: Readonly<Record<SyobocalCommand, string>> = {
  ProgLookup: 'ProgItem',
  TitleLookup: 'TitleItem',
  TitleIds: 'TitleItem',
  ChLookup: 'ChItem',
  ChGroupLookup: 'ChGroupItem',
}

const isCommand = (as: string): as is SyobocalCommand => as in itemNames

async function itemsOf(as: SyobocalCommand, body: AnswerBody): Promise<Item[]> {
  const items: Item[] = []
  let code: string | undefined
  for await (const { name, texts } of xmlElements(
    body.stream().pipeThrough(new TextDecoderStream()),
    rules,
  )) {
    if (name === 'Result') code = texts.Code
    else if (name === itemNames[as]) items.push(new Item(`${name}[${items.length}]`, texts))
    else throw new ShapeError(name, `must be ${itemNames[as]}`)
  }
  if (code !== '200' && code !== '404') throw new ShapeError('Result.Code', 'must be 200 or 404')
  return items
}

/** One item of an answer; a `ShapeError` names it and the rule it breaks. */
class Item {
  constructor(
    readonly where: string,
    readonly texts: XmlElement['texts'],
  ) {}

  /** Also '' if the element is missing. */
  text(name: string): string {
    return (this.texts[name] ?? '').trim()
  }

  /** Cut to the longest title allowed: anybody may edit titles, and a longer one would refuse the whole run. */
  title(name: string): string {
    return shortened(this.text(name))
  }

  number(name: string): number {
    const number = this.optional(name)
    if (number === undefined) throw new ShapeError(`${this.where}.${name}`, 'must be a whole number')
    return number
  }

  /** Undefined if it is blank. */
  optional(name: string): number | undefined {
    const text = this.text(name)
    if (!/^(?:-?\d{1,9})?$/.test(text))
      throw new ShapeError(`${this.where}.${name}`, 'must be a whole number')
    return text === '' ? undefined : Number(text)
  }

  instant(name: string): number {
    const instant = instantOf(this.text(name))
    if (instant === undefined)
      throw new ShapeError(`${this.where}.${name}`, 'must be a time such as 2026-11-15 00:30:00')
    return instant
  }
}

const programOf = (item: Item): SyobocalProgram => ({
  pid: item.number('PID'),
  tid: item.number('TID'),
  chid: item.number('ChID'),
  startedAt: item.instant('StTime') + (item.optional('StOffset') ?? 0) * 1000,
  count: item.optional('Count'),
  subtitle: item.title('SubTitle'),
  listedSubtitle: item.title('STSubTitle'),
  flag: item.optional('Flag') ?? 0,
  isDeleted: item.optional('Deleted') === 1,
})

const titleOf = (item: Item): SyobocalTitle => ({
  tid: item.number('TID'),
  title: item.title('Title'),
  shortTitle: item.title('ShortTitle'),
  kana: item.title('TitleYomi'),
  english: item.title('TitleEN'),
  comment: item.text('Comment'),
  category: item.number('Cat'),
  firstYear: item.optional('FirstYear'),
  firstMonth: item.optional('FirstMonth'),
  keywords: item.text('Keywords'),
  subtitles: item.text('SubTitles'),
})

const channelOf = (item: Item): Channel => ({
  chid: item.number('ChID'),
  name: item.title('ChName'),
  gid: item.optional('ChGID'),
})

const groupOf = (item: Item): ChannelGroup => ({
  gid: item.number('ChGID'),
  name: item.title('ChGroupName'),
  order: item.optional('ChGroupOrder') ?? 0,
})

const rules = {
  text: 1024 * 1024,
  depth: 8,
  entry: 100,
  isElement: (name: string, depth: number) =>
    (depth === 2 && name === 'Result') || (depth === 3 && name.endsWith('Item')),
  refuse: (fault: XmlFault) => new ShapeError('the answer', faults[fault]),
}

const faults: Readonly<Record<XmlFault, string>> = {
  html_page: 'must be XML, not an HTML page',
  doctype: 'must have no document type',
  cut_off: 'must have an end',
  text: 'must have no text of more than a million characters',
  depth: 'must not be nested so deeply',
  entry: 'must not have items of so many fields',
}
