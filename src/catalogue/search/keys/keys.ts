import { fold } from '../../../lib/fold'
import type { RowTexts } from '../texts'
import { isSound } from './grams'
import { soundForm } from './sound-key'
import { writtenForm } from './written-key'

export const keyKinds = { title: 0, name: 1, initials: 2, address: 3 } as const

export interface SearchKey {
  readonly kind: number
  readonly key: string
  /** Separated by spaces; empty for a single word. */
  readonly words: string
  /** Whether it is indexed by grams; Latin texts only by the grams of their sound. */
  readonly hasParts: boolean
}

/** Keys for the spelling and sound of each text, for initials, and for the site. */
export function keysOf({ titles, others, readings, site }: Omit<RowTexts, 'id'>): readonly SearchKey[] {
  const keys = new Map<string, SearchKey>()
  const add: Add = (kind, key, words, hasParts) => {
    if (key === '' || keys.has(key)) return
    keys.set(key, { kind, key, words: words.includes(' ') ? words : '', hasParts })
  }
  for (const title of titles) addText(title, keyKinds.title, add)
  for (const name of others) addText(name, keyKinds.name, add)
  for (const reading of readings.map(withoutMarks)) {
    addSound(folded(reading), keyKinds.name, add)
    const said = asSaid(reading)
    if (said !== reading) addSound(folded(said), keyKinds.name, add)
  }
  if (site !== '') add(keyKinds.address, addressKey(site), '', false)
  return [...keys.values()].slice(0, mostKeys)
}

type Add = (kind: number, key: string, words: string, hasParts: boolean) => void

/** Splits at punctuation, spaces and changes of script: 魔法少女, まどか and マギカ. */
export const wordsOf = (text: string): readonly string[] => text.normalize('NFKC').match(words) ?? []

const words =
  /[\p{Script=Han}々]+|[\p{Script=Katakana}ー]+|[\p{Script=Hiragana}ー]+|[\p{Script=Latin}\p{M}]+|\p{N}+|[\p{L}\p{M}]+/gu

/** Letters needed to recognize the start of a word: one kanji, two kana, three others. */
export function leastOf(key: string, at = 0): number {
  const letter = key.charAt(at)
  if (/\p{Script=Han}/u.test(letter)) return 1
  return /[ぁ-ゟ]/.test(letter) ? 2 : 3
}

function addText(text: string, kind: number, add: Add): void {
  addForms(wordsOf(text).join(' '), kind, add)
  // × is silent or read as x: SPYFAMILY, SPYxFAMILY.
  if (text.includes('×')) addForms(wordsOf(text.replaceAll('×', ' x ')).join(' '), kind, add)
  const said = inKana(text)
  if (said !== undefined) addForms(wordsOf(said).join(' '), keyKinds.name, add)
}

function addForms(words: string, kind: number, add: Add): void {
  const plain = folded(words)
  const written = writtenForm(plain)
  const hasSound = addSound(plain, kind, add)
  add(kind, written.replaceAll(' ', ''), written, !hasSound || /[ぁ-ゖ]/.test(written))
}

function addSound(words: string, kind: number, add: Add): boolean {
  const sound = soundForm(words.replaceAll(' ', ''))
  if (!isSound(sound)) return false
  const sounds = words.includes(' ') ? soundForm(words) : sound
  add(kind, sound, sounds, true)
  // Latin words have the initials of their spelling, kana those of their sound.
  const initials = (/[ぁ-ゖ]/.test(words) ? sounds : words).match(/(?<=^| )\w/g) ?? []
  if (initials.length > 2 && initials.length < 7)
    add(keyKinds.initials, initials.join('').toLowerCase(), '', false)
  return true
}

const folded = (words: string) => fold(words).replaceAll('ー', '')

/** English words that stand in titles, and how the same words are written in kana. */
const loanwords = `
academia アカデミア, accel アクセル, adventure アドベンチャー, air エアー, album アルバム, alice アリス, alien エイリアン, alive アライブ,
angel エンジェル, animal アニマル, another アナザー, apple アップル, art アート, attack アタック, baby ベビー, ball ボール, band バンド,
basket バスケット, battle バトル, beast ビースト, beat ビート, birth バース, black ブラック, blade ブレード, blood ブラッド, blue ブルー,
boy ボーイ, boys ボーイズ, break ブレイク, brothers ブラザーズ, bullet バレット, bunny バニー, butterfly バタフライ, call コール, candy キャンディ,
captain キャプテン, card カード, castle キャッスル, cat キャット, chain チェーン, change チェンジ, children チルドレン, city シティ, class クラス,
clover クローバー, club クラブ, code コード, color カラー, complex コンプレックス, cross クロス, crown クラウン, crystal クリスタル, dance ダンス,
dark ダーク, darkness ダークネス, date デート, day デイ, days デイズ, dead デッド, death デス, destiny デスティニー, devil デビル, diamond ダイヤモンド,
diary ダイアリー, dive ダイブ, doctor ドクター, dog ドッグ, doll ドール, dragon ドラゴン, dream ドリーム, drive ドライブ, earth アース, eden エデン,
edge エッジ, eight エイト, end エンド, engage エンゲージ, episode エピソード, eternal エターナル, evolution エボリューション, extra エクストラ,
eyes アイズ, fairy フェアリー, family ファミリー, fantasy ファンタジー, fate フェイト, fight ファイト, fighter ファイター, film フィルム, final ファイナル,
fire ファイア, first ファースト, flag フラッグ, flower フラワー, force フォース, forever フォーエバー, free フリー, friends フレンズ, future フューチャー,
game ゲーム, garden ガーデン, gate ゲート, gear ギア, generation ジェネレーション, ghost ゴースト, girl ガール, girls ガールズ, god ゴッド, gold ゴールド,
golden ゴールデン, good グッド, grand グランド, green グリーン, guardian ガーディアン, gun ガン, happy ハッピー, heart ハート, hearts ハーツ, heaven ヘブン,
hell ヘル, hello ハロー, hero ヒーロー, heroes ヒーローズ, high ハイ, home ホーム, horizon ホライゾン, hunter ハンター, ice アイス, idol アイドル,
infinite インフィニット, innocence イノセンス, island アイランド, jet ジェット, journey ジャーニー, jump ジャンプ, king キング, kingdom キングダム, kiss キス,
knight ナイト, knights ナイツ, lady レディ, land ランド, last ラスト, league リーグ, legend レジェンド, lesson レッスン, life ライフ, light ライト, line ライン,
link リンク, lion ライオン, little リトル, live ライブ, lock ロック, log ログ, lost ロスト, love ラブ, lovely ラブリー, lover ラバー, lovers ラバーズ, machine マシン,
magic マジック, major メジャー, mask マスク, master マスター, max マックス, melody メロディ, memories メモリーズ, memory メモリー, midnight ミッドナイト,
miracle ミラクル, mission ミッション, moon ムーン, music ミュージック, my マイ, mystery ミステリー, name ネーム, neo ネオ, new ニュー, next ネクスト,
night ナイト, ninja ニンジャ, note ノート, number ナンバー, ocean オーシャン, one ワン, online オンライン, order オーダー, origin オリジン, panic パニック,
paradise パラダイス, party パーティー, perfect パーフェクト, phantom ファントム, piece ピース, pink ピンク, planet プラネット, pocket ポケット, power パワー,
prince プリンス, princess プリンセス, project プロジェクト, pure ピュア, queen クイーン, quest クエスト, quiz クイズ, race レース, rain レイン, rainbow レインボー,
real リアル, rebellion リベリオン, red レッド, requiem レクイエム, return リターン, revenge リベンジ, revolution レボリューション, ride ライド, ring リング,
road ロード, robot ロボット, rock ロック, room ルーム, rose ローズ, royal ロイヤル, saga サーガ, samurai サムライ, school スクール, sea シー, season シーズン,
secret シークレット, seed シード, seven セブン, shadow シャドウ, shine シャイン, shining シャイニング, short ショート, show ショー, silver シルバー, sister シスター,
sisters シスターズ, sky スカイ, slayer スレイヤー, soldier ソルジャー, song ソング, soul ソウル, sound サウンド, space スペース, special スペシャル, spirit スピリット,
star スター, stars スターズ, starlight スターライト, stone ストーン, stories ストーリーズ, story ストーリー, strange ストレンジ, stride ストライド, strike ストライク,
summer サマー, super スーパー, sweet スイート, sword ソード, symphony シンフォニー, tail テイル, tales テイルズ, team チーム, tennis テニス, tiger タイガー,
time タイム, tokyo トーキョー, top トップ, tower タワー, town タウン, train トレイン, treasure トレジャー, trigger トリガー, trinity トリニティ, twin ツイン,
ultimate アルティメット, unicorn ユニコーン, universe ユニバース, unlimited アンリミテッド, vampire ヴァンパイア, venus ヴィーナス, victory ビクトリー,
video ビデオ, virgin バージン, wake ウェイク, war ウォー, wars ウォーズ, water ウォーター, wave ウェーブ, white ホワイト, wild ワイルド, wind ウインド, wing ウイング,
winter ウィンター, witch ウィッチ, witches ウィッチーズ, wolf ウルフ, wonder ワンダー, wonderland ワンダーランド, work ワーク, working ワーキング, world ワールド, x エックス,
zero ゼロ, zone ゾーン`

let kana: ReadonlyMap<string, string> | undefined

/** A URL without scheme, www, index page, query and fragment. */
export function addressKey(url: string): string {
  const [, host = '', path = ''] = /^https?:\/\/(?:www\.)?([^/?#]+)([^?#]*)/i.exec(url.trim()) ?? []
  return (host + path.replace(/\/(?:index\.\w+)?$/, '')).toLowerCase()
}

/** はたらく細胞BLACK → はたらく細胞ブラック; undefined if the text has no such word. */
export function inKana(text: string): string | undefined {
  if (!/[a-z]{2}/i.test(text)) return undefined
  kana ??= new Map(loanwords.split(',').map((pair): [string, string] => pairOf(pair.trim())))
  const written = text.replace(/[a-z]+/gi, (word) => kana?.get(word.toLowerCase()) ?? word)
  return written === text ? undefined : written
}

function pairOf(pair: string): [string, string] {
  const [word = '', said = ''] = pair.split(' ')
  return [word, said]
}

/** In readings, punctuation marks are separate words. */
const withoutMarks = (reading: string) => reading.replace(/[^\p{L}\p{N}ー]+/gu, ' ').trim()

/** With the particles は and へ as pronounced, and numbers as words. */
const asSaid = (reading: string) =>
  reading
    .replace(/ は(?= |$)/g, ' わ')
    .replace(/ へ(?= |$)/g, ' え')
    .replace(/(?<=[0-9]) (?=[0-9])/g, '')
    .replace(/(?<![0-9])[1-9][0-9]?(?![0-9])/g, (digits) => inWords(Number(digits)))

function inWords(number: number): string {
  const [tens, ones] = [Math.floor(number / 10), number % 10]
  return `${tens > 1 ? figures[tens] : ''}${tens > 0 ? 'じゅう' : ''}${figures[ones]}`
}

const figures = ['', 'いち', 'に', 'さん', 'よん', 'ご', 'ろく', 'なな', 'はち', 'きゅう']

/** Key ids reserved per row; `mostKeys` must be lower. */
export const keysPerRow = 2048
const mostKeys = 2000
