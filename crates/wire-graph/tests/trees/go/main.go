package main

import (
	"fmt"

	"example.com/shop/cart"
)

func main() {
	c := cart.New()
	fmt.Println(c.Show())
}
