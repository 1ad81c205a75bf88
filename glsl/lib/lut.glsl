// An entry of an equalisation table that leaves its pixels as they are.
#define KEEP 0xffffffffu
