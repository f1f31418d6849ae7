package view

import "mcploupe/recorder"

// EventRow is the row of an event for a list that is not on screen.
func EventRow(log *recorder.Log, seq uint64) Row {
	r := rowOf(log, seq)
	r.Sign = statusSign(r)
	return r
}

// ExchangeRow is the row of an exchange, likewise.
func ExchangeRow(e recorder.Exchange) Row { return exchangeRow(e) }
