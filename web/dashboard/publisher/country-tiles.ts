// The world as tiles, laid out by hand: each country near where it lies, beside its neighbours, large ones over several cells.
// Two letters a cell, one line a row from the north, '..' is sea. Small islands and territories are left to the table.
export const countryTiles: readonly string[] = [
  '..........GLGL......NOSEFI',
  'CACACACA......IS....NOSEEE',
  'CACACACA......IEGBNLDK..PLLV....RURURURURURURURURU',
  'CACACACA..........BEDECZSKLTBY..RURURURURURURURURU',
  'USUSUSUS........FRLUCHATHUROMDUA..GE....KZKZKZ',
  'USUSUSUS......PTES..ITSIHRRSBG..TR..AMAZUZKG..MNMN',
  'USUSUSUS............MT..BAXKMKCYLBSY....TMTJCNCNCN',
  'MXMX..BS........MA....TNMEALGR..ILJOIQIRAF..CNCNCNKPJP',
  'MXMX..CU..........DZDZ..LYLYEG..PS..KWBH..PKNPBT..KRJP',
  'MXMX..JMHTDO..MR..DZDZ......EG....SASAQAAE..INBDMOHKTW',
  'GTBZ......PRGMSNML....NE....SD........YEOM..INMMLAVN',
  'SVHN....BBCVGWGN..BFBJ....TDSDER............LKTHKH..PH',
  '..NI....TT..SLLRCIGHTGNGCMCFSSETDJSO......MV....MYBN',
  '..CRPA............STGQGACGCDRWUGKE............SGIDIDID',
  '....COVEGYSR..............CDBITZ....SC..............TLPGSB',
  '..ECPE..BRBR............AOZMMW....KM......................WS',
  '....PEBOBRBR............NABWZWMZ..MGMU..........AUAUAU..VUFJ',
  '......CLPY..............ZAZALSSZ................AUAUAU..NCTO',
  '......CLARUY............................................NZ',
  '......CLAR',
];
